/** What people have of the shop, and whether they would miss it. */

import { IN, rated } from './demo-word.ts';

export const MISS_US_WORDS = [
  ...rated(
    2,
    2,
    ['Nobody else has my size in stock.'],
    ['It is where I buy every present.'],
    ['Spare lids for jugs that are ten years old.'],
    ['I find things here that I do not find in town.'],
    ['You repair what others throw away.'],
    ['The monthly box is my small luxury.'],
    ['Our café buys all its cups here.'],
    ['One order a month for the whole team, one invoice.'],
    ['Made nearby, and you can see by whom.', IN.CH],
    ['Die einzige Adresse für Ersatzdeckel.', IN.DE],
    ['Des pièces uniques à un prix honnête.', IN.FR],
  ),
  ...rated(
    1,
    1,
    ['The shop is fine, the newsletter is better.'],
    ['I could do without, but I would miss the mugs.'],
    ['Nice to browse; I buy once a year.'],
    ['Good for presents, less so for every day.'],
    ['Ideas more than purchases, to be honest.'],
    ['I like it, but the market has most of it too.'],
    ['Praktisch, aber nicht unersetzlich.', IN.DE],
    ['Pratique pour les cadeaux, sans plus.', IN.FR],
  ),
  ...rated(
    0,
    0,
    ['I would buy elsewhere.'],
    ['I only came for the voucher.'],
    ['The large shops have the same and deliver faster.'],
    ['Too dear for what I need.'],
    ['I have not ordered since the delivery got slow.', IN.DE],
    ['Gibt es woanders günstiger.', IN.DE],
    ['Je commande ailleurs depuis cet été.', IN.FR],
  ),
];
