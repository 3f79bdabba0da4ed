import {
  createContactCounter,
  createContactWalk,
  createOpenContacts,
} from '../../../shared/data/contacts/contact-index.ts';
import { createContactStore } from '../../../shared/data/contacts/contact-store.ts';
import { createContactSweep } from '../../../shared/data/contacts/contact-sweep.ts';
import { indexParts, part, parts, readIndex } from '../compose.ts';

export const contacts = /* @__PURE__ */ part((service) => createContactStore(parts(service)));

export const openContacts = /* @__PURE__ */ part((service) =>
  createOpenContacts({ readIndex: readIndex(service), shards: service.config.shards }),
);

export const contactWalk = /* @__PURE__ */ part((service) => createContactWalk(indexParts(service)));

export const contactCounter = /* @__PURE__ */ part((service) =>
  createContactCounter({ readIndex: readIndex(service), shards: service.config.shards }),
);

export const contactSweep = /* @__PURE__ */ part((service) => createContactSweep(indexParts(service)));
