/** Languages that the widget itself speaks, besides English; a test compares them with the files of its words. */
export const WIDGET_LANGUAGES: readonly string[] =
  'ar cs da de es fi fr he it ja ko nb nl pl pt ru sv tr uk zh'.split(' ');
