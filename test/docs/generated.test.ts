import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { generatedPages } from "../../scripts/docs/generated.js";
import { SERVICE_PAGES } from "../../scripts/docs/service-pages.js";
import { withSection } from "../../scripts/docs/marked-section.js";
import { repository, textOf } from "../support/repository.js";

const COMMAND = "node --import=tsx --conditions=source scripts/docs.ts";

describe("the generated sections of the documentation", () => {
  it("match the code", async () => {
    const root = repository.replace(/\/$/, "");
    const pages = await generatedPages(root);
    const outdated = [...pages]
      .filter(([page, text]) => !existsSync(`${root}/${page}`) || textOf(page) !== text)
      .map(([page]) => page);
    assert.deepEqual(outdated, [], `run ${COMMAND}`);
  });

  it("leave the text around them unchanged", () => {
    const page = "before\n<!-- generated: x -->\nold\n<!-- end: x -->\nafter\n";
    assert.equal(
      withSection(page, "x", "new"),
      "before\n<!-- generated: x -->\n\nnew\n\n<!-- end: x -->\nafter\n",
    );
  });

  it("say nothing twice about a service or an extension list", () => {
    /** The share of words that two sentences have in common. */
    const alike = (a: string, b: string): number => {
      const [one, two] = [a, b].map((text) => new Set(text.toLowerCase().match(/\w{4,}/g)));
      const common = [...(one ?? [])].filter((word) => two?.has(word) === true).length;
      return common < 3 ? 0 : common / Math.max(1, Math.min(one?.size ?? 0, two?.size ?? 0));
    };
    const entries = [...SERVICE_PAGES.map(({ folder }) => `01.services/${folder}`), "03.extensions"]
      .map((page) => textOf(`content/06.extend/13.reference/${page}/docs.md`))
      .flatMap((text) => [...text.matchAll(/^(.+) Plugin: `/gm)].map(([, entry = ""]) => entry));
    assert.ok(entries.length > 30);
    const repeated = entries.filter((entry) => {
      const sentences = entry.split(/[.;] /);
      return sentences.some((one, at) =>
        sentences.slice(at + 1).some((other) => alike(one, other) >= 0.6),
      );
    });
    assert.deepEqual(repeated, []);
  });

  it("are comments in YAML", () => {
    const file = "redirects:\n  # generated: x\n  old: 1\n  # end: x\n";
    assert.equal(
      withSection(file, "x", "  new: 2"),
      "redirects:\n  # generated: x\n  new: 2\n  # end: x\n",
    );
  });

  it("are refused where a page has no place for them", () => {
    assert.throws(() => withSection("text", "x", "new"), /lacks <!-- generated: x -->/);
  });
});
