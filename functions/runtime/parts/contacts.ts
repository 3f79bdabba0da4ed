import {
  createContactCounter,
  createContactWalk,
  createOpenContacts,
} from '../../../shared/data/contacts/contact-index.ts';
import { createContactStore } from '../../../shared/data/contacts/contact-store.ts';
import { createContactSweep } from '../../../shared/data/contacts/contact-sweep.ts';
import { indexParts, part, parts } from '../compose.ts';

export const contacts = /* @__PURE__ */ part((service) => createContactStore(parts(service)));

export const openContacts = /* @__PURE__ */ part((service) => createOpenContacts(indexParts(service)));

export const contactWalk = /* @__PURE__ */ part((service) => createContactWalk(indexParts(service)));

export const contactCounter = /* @__PURE__ */ part((service) => createContactCounter(indexParts(service)));

export const contactSweep = /* @__PURE__ */ part((service) => createContactSweep(indexParts(service)));
