export interface DemoWord {
  readonly ratings: readonly [from: number, to: number];
  readonly text: string;
  readonly country?: string;
  readonly reason?: string;
}

const rated = (
  from: number,
  to: number,
  texts: readonly string[],
  more?: Pick<DemoWord, 'country' | 'reason'>,
): DemoWord[] => texts.map((text) => ({ ratings: [from, to], text, ...more }));

export const RECOMMEND_WORDS = [
  ...rated(9, 10, [
    'Support solved it in one email. Thank you!',
    'Everything arrived in one parcel, a day early.',
    'My colleagues ask me where the pots are from.',
    'Easy to order again from the last receipt.',
    'I have sent three friends here already.',
    'The glaze looks better than in the pictures.',
    'They replaced a chipped saucer without a question.',
    'Free delivery with Pro has paid for itself twice.',
    'Best range of planters that I know of.',
  ]),
  ...rated(7, 8, ['Good range, slow search.'], { reason: 'search' }),
  ...rated(7, 8, [
    'Nice, though I wish you had gift wrapping.',
    'Good quality, but shipping costs as much as the mug.',
    'The app is slower than the site.',
    'Good, but I would like to choose the day of delivery.',
    'Please bring back the blue series.',
  ]),
  ...rated(
    3,
    6,
    [
      'Delivery took nine days, and nobody told me why.',
      'The parcel went to a shop two villages away.',
      'Tracking said delivered. It came four days later.',
      'I paid for express and waited a week.',
    ],
    { country: 'DE', reason: 'delivery' },
  ),
  ...rated(3, 6, ['The vase was lovely, the box was not: it arrived chipped.'], { reason: 'delivery' }),
  ...rated(3, 6, ['Searching for “saucer” shows me plates.'], { reason: 'search' }),
  ...rated(3, 6, ['Prices went up by a fifth since spring.'], { reason: 'price' }),
  ...rated(0, 2, ['Ordered for a birthday, came after it. Never again.'], {
    country: 'DE',
    reason: 'delivery',
  }),
  ...rated(
    0,
    2,
    [
      'Three emails to support and no answer yet.',
      'Support closed my ticket without reading it.',
      'Broken twice, refunded once.',
    ],
    { reason: 'support' },
  ),
];

export const CHECKOUT_WORDS = [
  ...rated(5, 5, [
    'Two taps and done.',
    'I like that it remembers my size.',
    'Clear, no surprises at the end.',
    'Paid with my phone, took ten seconds.',
    'Finally a shop that does not make me register.',
    'I could see the day of delivery before I paid.',
    'The summary on one page is great.',
    'It kept my basket from my phone to my laptop.',
  ]),
  ...rated(4, 4, [
    'Fine, but I looked for the voucher field for a while.',
    'All right. The button is below the fold on my phone.',
    'Smooth, apart from one reload at the bank.',
    'The gift message is easy to miss.',
    'I would like to save a second address.',
  ]),
  ...rated(3, 3, [
    'I had to enter my address again.',
    'It asked for my phone number twice.',
    'The new layout hides what the shipping costs.',
    'Not clear whether VAT was in the price.',
  ]),
  ...rated(1, 2, [
    'It jumped back to the first step when I changed the amount.',
    'My card was charged twice.',
    'Charged twice, and the confirmation never came.',
    'The 3-D Secure window closed by itself, three times.',
    'My address with a hyphen was refused.',
    'Since the redesign my saved card is gone.',
    'Voucher accepted, then not in the total.',
    'Error 500 after I had paid.',
  ]),
];

export const RETURNS_WORDS = [
  ...rated(6, 7, [
    'Easier than buying it.',
    'The label was in the box already.',
    'Dropped it at the corner shop, refunded the next day.',
    'QR code on my phone, no printing. Perfect.',
    'I could swap the size instead of sending it back.',
    'The chat booked it for me.',
    'No questions, no fee, no fuss.',
    'Four clicks, and it told me what happens next.',
  ]),
  ...rated(4, 5, [
    'Fine. A tracking number would be good.',
    'Took a while to find where to begin.',
    'It could tell me sooner what is refunded.',
    'Good, but I had to buy a new box.',
    'The form asks for a reason that is not in its list.',
    'Easy enough, once I had found the page.',
  ]),
  ...rated(1, 3, [
    'I had to print the label at work.',
    'The refund took two weeks.',
    'Three emails until I got my money back.',
    'You kept the shipping fee although the jug was broken.',
    'The pick-up was booked and nobody came.',
    'Only half of the order was refunded.',
    'No confirmation that my parcel arrived.',
  ]),
  ...rated(
    1,
    3,
    [
      'I have no printer for the label.',
      'The label cannot be printed from my phone.',
      'Who still prints labels?',
      'The post office does not scan the code. I had to find a printer.',
    ],
    { country: 'FR' },
  ),
];

export const MISS_US_WORDS = [
  ...rated(2, 2, [
    'Nobody else has my size in stock.',
    'It is where I buy every present.',
    'Spare lids for jugs that are ten years old.',
    'You repair what others throw away.',
    'The monthly box is my small luxury.',
    'Our café buys all its cups here.',
    'One order a month for the whole team, one invoice.',
    'I trust what you say about the glaze.',
    'My mother asks for your catalog every spring.',
  ]),
  ...rated(1, 1, [
    'The shop is fine, the newsletter is better.',
    'I could do without, but I would miss the mugs.',
    'Nice to browse. I buy once a year.',
    'Good for presents, less so for every day.',
    'I like it, but the market has most of it too.',
    'Some prices make me look around first.',
    'If it closed I would find another potter.',
    'For cups yes, for plates I go elsewhere.',
    'I would miss the workshop videos.',
  ]),
  ...rated(0, 0, [
    'I would buy elsewhere.',
    'I only came for the voucher.',
    'The large shops have the same and deliver faster.',
    'Too expensive for what I need.',
    'My last parcel was broken. I have not been back.',
    'The app logs me out every time.',
    'Nothing here that I could not do without.',
  ]),
];

export const HELPFUL_WORDS = rated(0, 0, [
  'It does not say what to do when the parcel is late.',
  'Nothing about plants in offices.',
  'The link to the form was broken.',
  'Too long. I wanted one number.',
  'I still do not know who pays for the return.',
  'It is about ferns, I asked about moss.',
  'The pictures do not open on my phone.',
  'How do I reach a person?',
  'No word on pets.',
  'It says soon. When is soon?',
  'The steps are from before the redesign.',
  'How much light is bright but indirect?',
]);

export const PURPOSE_WORDS = rated(4, 4, [
  'Props for our theater.',
  'Pots for a school garden.',
  'A wedding.',
  'Pictures for my blog.',
  'The waiting room of our practice.',
  'Our holiday flat.',
  'A balcony that nobody sees.',
  'Prizes for a raffle.',
  'Tables of our café.',
  'My parents’ garden.',
  'I collect saucers.',
  'Plants for a film set.',
]);

export const IMPROVE_WORDS = rated(0, 0, [
  'Show the height of plants in every picture.',
  'Let me pay by invoice.',
  'Tell me the day on which a parcel arrives.',
  'Fewer emails, please.',
  'A list of plants that cats may eat.',
  'Gift wrapping without plastic.',
  'Sort pots by diameter.',
  'Remember my last order when I sign in.',
  'Delivery on Saturdays.',
  'Show what is in stock before I choose a color.',
  'A smaller pack of soil.',
  'Larger text on the receipt.',
  'Let me change the address after I order.',
  'Answer the telephone at lunch time.',
  'More ferns.',
  'Say how often each plant needs water.',
  'Send one parcel in place of three.',
  'Tell me when something is back.',
  'Show prices with delivery.',
  'Make the search find plural words.',
  'Let two people share an account.',
  'Say which pots survive frost.',
  'Take back empty pots.',
  'A wish list that I can share.',
  'Translate the care cards.',
  'Show reviews with pictures first.',
]);

export const FEEDBACK_WORDS = rated(0, 0, [
  'The fern has a new leaf. Thank you!',
  'Where do I find my invoices?',
  'I love the new pictures.',
  'The menu covers the last pot on my phone.',
  'Do you ship to Norway?',
  'My vase came with a crack, and support was kind.',
  'The newsletter link leads to an old page.',
  'Please keep the small shop in Basel.',
  'The price in the cart differs from the page.',
  'Can I visit the workshop?',
  'A gift card would be nice.',
  'The search does not know the word aloe.',
  'The care tips saved my orchid.',
  'I cannot read the gray text in the sun.',
  'Two of three saucers were missing.',
  'When does the blue glaze return?',
  'Your packaging is the best that I have seen.',
  'The date field starts on Sunday.',
  'I ordered twice by mistake, and one click fixed it.',
  'The button for returns is hard to find.',
  'Which soil does a fern need?',
  'Dark mode, please.',
  'The driver was very friendly.',
  'The video of the kiln does not load.',
  'I would pay more for local clay.',
]);

export const REPLY_WORDS = rated(0, 0, [
  'It answered another question.',
  'That is the order of last month.',
  'It told me to read the help, which I had read.',
  'How much water, in numbers?',
  'It sent me the same sentence twice.',
  'I asked for a person and got a link.',
  'It made up a size that you do not sell.',
  'Too long for a phone.',
  'It did not say who pays.',
  'It forgot what I wrote a minute ago.',
  'It apologized and did nothing.',
  'The neighbor does not have my parcel.',
]);
