import {
  createContactCounter,
  createContactWalk,
  createOpenContacts,
} from '../../../shared/data/contacts/contact-index.ts';
import { createContactStore } from '../../../shared/data/contacts/contact-store.ts';
import { createContactSweep } from '../../../shared/data/contacts/contact-sweep.ts';
import { indexDependencies, part, storeDependencies } from '../compose.ts';

export const contacts = /* @__PURE__ */ part((service) => createContactStore(storeDependencies(service)));

export const openContacts = /* @__PURE__ */ part((service) => createOpenContacts(indexDependencies(service)));

export const contactWalk = /* @__PURE__ */ part((service) => createContactWalk(indexDependencies(service)));

export const contactCounter = /* @__PURE__ */ part((service) =>
  createContactCounter(indexDependencies(service)),
);

export const contactSweep = /* @__PURE__ */ part((service) => createContactSweep(indexDependencies(service)));
