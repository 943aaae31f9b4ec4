import assert from "node:assert/strict";
import type { SyntaxSettings } from "../../../../plugins/markdown/contract.js";
import { allSyntax, renderSyntax } from "../../../support/content/render-markdown.js";

/** For each switch: text that it changes, and what of it is shown as written without it. */
const SYNTAX: Readonly<Record<keyof SyntaxSettings, readonly [source: string, shown: RegExp]>> = {
  alerts: ["> [!NOTE]\n> A note.", /\[!NOTE\]/],
  directives: ["::: tip Small\nSave.\n:::", /::: tip Small/],
  highlight: ["```js\nconst a = 1;\n```", /const a = 1;/],
  code_lines: ['```js title="a.js" {1}\nconst a = 1; // [!code ++]\n```', /\[!code \+\+\]/],
  math: ["The area is $\\pi r^2$.", /\$\\pi r\^2\$/],
  mermaid: ["```mermaid\nflowchart LR\n```", /flowchart LR/],
  emoji: ["A :tada: b", /:tada:/],
  mark: ["==marked==", /==marked==/],
  sub_sup: ["H~2~O and x^2^", /x\^2\^/],
  toc: ["[[toc]]\n\n## One\n\n## Two", /\[\[toc\]\]/],
  abbreviations: ["CSP.\n\n*[CSP]: Policy", /\*\[CSP\]: Policy/],
  figures: ['![A map](map.png "How to find us")', /title="How to find us"/],
  wiki_links: ["[[Page]]", /\[\[Page\]\]/],
  margin_notes: ["A[^1].\n\n[^1]: The note.", /The note\./],
};
const PLAIN =
  "# Title\n\nText with *emphasis*, `code`, $5 and $10, a~b, a^b, a = b, :) and [a link](https://example.org).\n\n> Quoted.\n\n| a | b |\n| - | - |\n| ~~c~~ | d |\n\n- [ ] To do\n\n```\nplain\n```\n";
/** A page that wiki links find. */
const facts = new Map([["\0[[1 Page", { url: "/page" }]]);
const names = Object.keys(allSyntax) as (keyof SyntaxSettings)[];

describe("each switch of Markdown", () => {
  for (const name of names) {
    const [source, shown] = SYNTAX[name];
    const without = { ...allSyntax, [name]: false };

    it(`${name}: shows the text as written when it is off`, async () => {
      const off = await renderSyntax(source, { switches: without, facts });
      assert.match(text(off), shown);
      assert.notEqual(off, await renderSyntax(source, { switches: allSyntax, facts }));
    });

    it(`${name}: changes nothing in pages that do not use it`, async () => {
      assert.equal(
        await renderSyntax(PLAIN, { switches: without }),
        await renderSyntax(PLAIN, { switches: allSyntax }),
      );
    });
  }
});

/** HTML without the elements that colour code. */
function text(html: string): string {
  return html.replace(/<\/?span[^>]*>/g, "").replaceAll("&#x26;", "&");
}
