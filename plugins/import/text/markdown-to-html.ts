import rehypeStringify from "rehype-stringify";
import { remark } from "remark";
import remarkGfm from "remark-gfm";
import remarkRehype from "remark-rehype";

const processor = remark()
  .use(remarkGfm)
  .use(remarkRehype, { allowDangerousHtml: true })
  .use(rehypeStringify, { allowDangerousHtml: true });

/** HTML of Markdown inside an HTML document. Raw HTML stays, which the site sanitises later. */
export function markdownToHtml(markdown: string): string {
  return String(processor.processSync(markdown));
}
