import type { PageView, TemplateProps } from "../../contract.js";

type Rendered = Pick<PageView, "html"> & Partial<Pick<TemplateProps, "modules" | "blocks">>;

/** All rendered Markdown of a page: its body, modules and blocks. */
export function bodiesOf({ html, modules = [], blocks = {} }: Rendered): string {
  const parts = [...modules, ...Object.values(blocks).flat()];
  return parts.length === 0 ? html : html + parts.map((part) => part.html).join("");
}
