import { gradient } from "./pictures.js";

/** Wide enough for every width of variants. */
const [WIDTH, HEIGHT] = [2000, 1300];

/** One of everything that pages for readers contain, in Markdown. */
const EVERYTHING = [
  "Words with ==marks==, H~2~O, x^2^, :tada:, `code`, [[Second]] and a note[^1].",
  "[[toc]]",
  "## Alerts\n\n> [!NOTE]\n> A note.\n\n> [!CAUTION]\n> Careful.\n\n::: tip Small steps\nSave often.\n:::\n\n::: details Why?\nBecause.\n:::",
  '## Code\n\n```ts title="a.ts" {2} showLineNumbers\nconst a = 1; // [!code --]\nconst b = "a line that is longer than any narrow screen is wide, to scroll it"; // [!code ++]\n```',
  "::: code-group\n\n```sh [npm]\nnpm install sitewright\n```\n\n```sh [yarn]\nyarn add sitewright\n```\n\n:::",
  "## Formulas\n\nThe area is $\\pi r^2$.\n\n$$\n\\sum_{k=1}^{n} k = \\frac{n(n+1)}{2}\n$$",
  "## Diagrams\n\n```mermaid\nflowchart LR\n  Draft --> Published\n```",
  '## Pictures\n\n![A landscape](a.jpg "At dusk")\n\nText.\n\n![The same](a.jpg)',
  "## Lists\n\n- [ ] To do\n- [x] Done\n\n| Key | What it does, at some length | And more, and more again |\n| --- | --- | --- |\n| `title` | The title | x |",
  "CSP protects visitors.\n\n*[CSP]: Content-Security-Policy\n\n[^1]: The note.",
].join("\n\n");
const POST = "date: 2026-01-01\nimage: a.jpg\nauthor: Ada Marsh\nseries: Harbours\n";

/** Addresses of the site: everything in both languages, and each template with pictures. */
export const READING_PATHS = [
  "/everything",
  "/ar/everything",
  "/ar",
  "/gallery",
  "/journal",
  "/journal/one",
  "/ar/journal/one",
  "/item",
  "/authors/ada-marsh",
  "/tag/tea",
];

/** Files of a site with pictures, in English and in Arabic. */
export async function readingFiles(
  preset: "docs" | "blog" | "site",
): Promise<Record<string, string | Buffer>> {
  const photo = await gradient(WIDTH, HEIGHT).jpeg({ quality: 95 }).toBuffer();
  const pages = {
    "01.home/landing.md": "---\ntitle: Home\nhero: { title: Hello, image: a.jpg }\n---\nText.\n",
    "01.home/landing.ar.md":
      "---\ntitle: الرئيسية\nhero: { title: مرحبا, image: a.jpg }\n---\nنص.\n",
    "02.everything/docs.md": `---\ntitle: Everything\n---\n${EVERYTHING}\n`,
    "02.everything/docs.ar.md": `---\ntitle: كل شيء\n---\nمرحبا\n\n${EVERYTHING}\n`,
    "02.everything/01.second/docs.md": "---\ntitle: Second\n---\n## Part\n\n![A sea](a.jpg)\n",
    "03.gallery/default.md": "---\ntitle: Gallery\n---\n",
    "03.gallery/_pictures/gallery.md": "---\ntitle: Pictures\n---\n",
    "04.journal/blog.md": "---\ntitle: Journal\ncollection: { items: '@self.children' }\n---\n",
    "04.journal/one/post.md": `---\ntitle: One\n${POST}taxonomy: { tag: [tea] }\n---\n![A sea](a.jpg)\n`,
    "04.journal/one/post.ar.md": `---\ntitle: واحد\n${POST}---\nنص.\n`,
    "04.journal/two/post.md": `---\ntitle: Two\n${POST}taxonomy: { tag: [tea] }\n---\nText.\n`,
    "05.item/item.md": "---\ntitle: Item\nimage: a.jpg\n---\nText.\n",
    "authors/ada-marsh/author.md":
      "---\ntitle: Ada Marsh\nsummary: Writes about tea.\nimage: a.jpg\n---\n",
  };
  const files: Record<string, string | Buffer> = {
    "site.yaml": `title: A site\ntheme: { preset: ${preset} }\ntaxonomies: [tag]\nmarkdown: { math: true }\n`,
    "system.yaml": "languages: { supported: [en, ar], default: en }\n",
  };
  for (const [file, text] of Object.entries(pages)) {
    files[`content/${file}`] = text;
    files[`content/${file.slice(0, file.lastIndexOf("/"))}/a.jpg`] = photo;
  }
  return files;
}
