/** A style sheet as minified text; the build's loader makes it so. */
declare module '*.css' {
  const css: string;
  export default css;
}
