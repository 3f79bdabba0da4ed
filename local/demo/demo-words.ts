/** What people of the demo wrote, by how they rated. */

interface Words {
  readonly low: readonly [string, ...string[]];
  readonly middling: readonly [string, ...string[]];
  readonly high: readonly [string, ...string[]];
}

export const DEMO_WORDS: Readonly<Record<string, Words>> = {
  recommend: {
    low: [
      'Delivery took nine days, and nobody told me why.',
      'The app signs me out every other day.',
      'Prices changed between the basket and the bill.',
      'I cannot find my old invoices.',
    ],
    middling: [
      'Good range, slow search.',
      'Fine so far. Filters by size would help.',
      'Support is friendly, but slow at weekends.',
    ],
    high: [
      'Fast and calm. Everything arrived as described.',
      'I have sent three colleagues here already.',
      'The size guide is the first one that is right.',
      'Support solved it in one mail. Thank you!',
      'Paquet bien emballé, livraison rapide.',
    ],
  },
  checkout: {
    low: [
      'My card was refused twice, then charged twice.',
      'Too many steps, and the voucher field is hidden.',
    ],
    middling: ['It worked, but I had to enter my address again.', 'Okay. Please remember my parcel shop.'],
    high: ['Two taps and done.', 'Invoice as a PDF right away, great for work.', 'Einfach und schnell.'],
  },
  returns: {
    low: ['I had to print the label at the library.', 'Three mails until I got my money back.'],
    middling: ['The form was fine, the refund took two weeks.', 'Packing it again was the hard part.'],
    high: ['Scanned the code, dropped it off, refunded the next day.', 'Easier than buying it.'],
  },
  'miss-us': {
    low: ['I would buy elsewhere.', 'Only here for the sale.'],
    middling: ['I like it, but I could do without.', 'The newsletter is the best part.'],
    high: ['Nobody else has my size in stock.', 'It saves me a trip to town every month.'],
  },
};
