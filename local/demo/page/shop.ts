/** The shop's page. */

import { find } from './find.ts';
import { speak, wish } from './frame.ts';

speak({
  de: [
    'Stilles für die Fensterbank',
    'Frauenhaarfarn',
    'Flache Tonschale',
    'Polstermoos',
    'Bestellung 1042',
    'Am Dienstag geliefert: ein Frauenhaarfarn in einer flachen Tonschale.',
  ],
  ar: [
    'أشياء هادئة لحافة النافذة',
    'سرخس كزبرة البئر',
    'وعاء طيني مسطح',
    'طحلب وسادي',
    'الطلب 1042',
    'سُلّم يوم الثلاثاء: سرخس كزبرة البئر في وعاء طيني مسطح.',
  ],
});
find('#place', HTMLDivElement).dataset.canvass = wish('survey');
