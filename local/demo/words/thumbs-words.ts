/** What was missing from the shop's help and from replies of its chat: a thumb up is asked nothing more. */

import { IN, rated } from './demo-word.ts';

export const HELPFUL_WORDS = rated(
  0,
  0,
  ['It does not say what to do when the parcel is late.'],
  ['Nothing about plants in offices.'],
  ['The link to the form was broken.'],
  ['Too long. I wanted one number.'],
  ['I still do not know who pays for the return.'],
  ['It is about ferns, I asked about moss.'],
  ['The pictures do not open on my phone.'],
  ['How do I reach a person?'],
  ['No word on pets.'],
  ['It says soon. When is soon?'],
  ['The steps are from before the shop was redone.'],
  ['How much light is bright but indirect?'],
  ['Steht nur auf Englisch da.', IN.DE],
  ['Il manque le retrait en magasin.', IN.FR],
);

export const REPLY_WORDS = rated(
  0,
  0,
  ['It answered another question.'],
  ['That is the order of last month.'],
  ['It told me to read the help, which I had read.'],
  ['How much water, in numbers?'],
  ['It sent me the same sentence twice.'],
  ['I asked for a person and got a link.'],
  ['It made up a size that you do not sell.'],
  ['Too long for a phone.'],
  ['It did not say who pays.'],
  ['It forgot what I wrote a minute ago.'],
  ['It apologised and did nothing.'],
  ['The neighbour does not have my parcel.'],
  ['Antwortet auf Englisch.', IN.DE],
  ['Il ne comprend pas « sans engrais ».', IN.FR],
);
