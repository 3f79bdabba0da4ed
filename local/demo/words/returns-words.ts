/** What people say of returning an order: in France that they have to print the label. */

import { IN, rated } from './demo-word.ts';

export const RETURNS_WORDS = [
  ...rated(
    6,
    7,
    ['Easier than buying it.'],
    ['The label was in the box already.'],
    ['Dropped it at the corner shop, refunded the next day.'],
    ['QR code on my phone, no printing. Perfect.'],
    ['I could swap the size instead of sending it back.'],
    ['They even came to pick it up.', IN.CH],
    ['Ging schneller als gedacht.', IN.DE],
    ['Remboursé en deux jours, merci !', IN.FR],
    ['Four clicks, and it told me what happens next.'],
  ),
  ...rated(
    4,
    5,
    ['Fine. A tracking number would be good.'],
    ['Took a while to find where to begin.'],
    ['Good, but I had to buy a new box.'],
    ['The form asks for a reason that is not in its list.'],
    ['Rücksendung klar, Erstattung könnte schneller sein.', IN.DE],
    ['Correct, mais le point relais était fermé.', IN.FR],
  ),
  ...rated(
    1,
    3,
    ['I had to print the label at work.'],
    ['The refund took two weeks.'],
    ['Three mails until I got my money back.'],
    ['You kept the shipping fee although the jug was broken.'],
    ['The pick-up was booked and nobody came.'],
    ['Only half of the order was refunded.'],
    ['Wer hat heute noch einen Drucker?', IN.DE],
    ['Il faut imprimer l’étiquette : je n’ai pas d’imprimante.', IN.FR],
    ['Impossible d’imprimer l’étiquette depuis mon téléphone.', IN.FR],
    ['Trois semaines pour être remboursé.', IN.FR],
    ['No confirmation that my parcel arrived.'],
  ),
];
