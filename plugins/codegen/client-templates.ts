import type { OpenApiDocument } from "../openapi/contract.js";
import { toKey, toTypeName } from "./names.js";

/** Types that give pages the front matter of their template; empty without page types. */
export function templateTypes({ components }: OpenApiDocument): string {
  const lines = Object.entries(components.schemas).flatMap(([name, schema]) => {
    const template = schema["x-template"];
    const isOne = typeof template === "string";
    return isOne ? [`  readonly ${toKey(template)}: ${toTypeName(name)};\n`] : [];
  });
  return `/** Template to the front matter of its pages. */
export interface PageFrontmatter {
${lines.join("")}}

/** The front matter of pages with a template; of others, anything. */
export type FrontmatterOf<T> = T extends keyof PageFrontmatter
  ? PageFrontmatter[T]
  : { readonly [name: string]: unknown };

/** An item of a list with \`fields\`: just these keys, own fields in \`frontmatter\`. */
export type SparsePage<T> = {
  readonly [name: string]: unknown;
  readonly frontmatter?: Partial<FrontmatterOf<T>>;
};

/** True for a page with this template: its front matter is typed then. Pages that do not fit their page type are not checked. */
export function hasTemplate<T extends keyof PageFrontmatter, P extends object>(
  page: P,
  template: T,
): page is P & { readonly template: T; readonly frontmatter: PageFrontmatter[T] } {
  return "template" in page && page.template === template;
}
`;
}
