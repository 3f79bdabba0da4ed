/** A style sheet as minified text, from the build's loader. */
declare module '*.css' {
  const css: string;
  export default css;
}
