import { forReaders } from "../../../plugins/markdown/service.js";
import { headingIds } from "../../../plugins/markdown/links/anchors.js";
import { writtenAnchors } from "../../../plugins/markdown/links/written-anchors.js";
import { mdxText } from "../../../plugins/markdown/formats/mdx.js";
import { plainText } from "../../../plugins/markdown/parse/plain-text.js";
import { isHarmless } from "../../../plugins/markdown/render/render-limit.js";
import { toDirectives } from "../../../plugins/markdown/syntax/containers.js";
import { neededSwitches } from "../../../plugins/markdown/syntax/switches.js";
import { allSyntax } from "../../support/content/render-markdown.js";
import { assertLinear, REPEATED } from "../../support/growth.js";

/** What runs on the thread that serves requests. */
const scans: Readonly<Record<string, (text: string) => unknown>> = {
  "plain text": (text) => plainText(text, { shortcodes: ["a"] }),
  "plain text of MDX": (text) => mdxText(text),
  "ids of headings": (text) => headingIds(`# ${text}\n${text}\n---`),
  "anchors written by hand": (text) => writtenAnchors(`<a id="a">${text}`),
  "HTML for readers": (text) => forReaders(text),
  "the choice of a thread": (text) => isHarmless(text),
  "the choice of syntax": (text) => neededSwitches(text, allSyntax),
  containers: (text) => toDirectives(text),
};

describe("scans of Markdown outside of the renderer", function () {
  this.timeout(300_000);
  for (const [name, scan] of Object.entries(scans)) {
    it(`take linear time: ${name}`, () => {
      for (const part of REPEATED) assertLinear(name, part, (text) => void scan(text));
    });
  }
});
