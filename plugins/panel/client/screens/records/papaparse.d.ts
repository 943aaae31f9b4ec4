/** The used part of papaparse; its published types bring those of Node into the browser. */
declare module "papaparse" {
  const Papa: {
    parse<T>(text: string, options: { skipEmptyLines: "greedy" }): { data: T[] };
    unparse(
      table: { fields: readonly string[]; data: readonly (readonly string[])[] },
      options: { escapeFormulae: RegExp },
    ): string;
  };
  export default Papa;
}
