import assert from "node:assert/strict";
import type { HookName } from "#kernel";
import { MdFormat, type MdFormatOptions } from "../../../../plugins/markdown/formats/md.js";
import { RenderFailure } from "../../../../plugins/markdown/render/threads/render-pool.js";
import { noShortcodes } from "../../../support/content/no-shortcodes.js";
import { fakeHooks } from "../../../support/fake-hooks.js";
import { pageEntry, pageOf } from "../../../support/content/markdown-pages.js";
import { plainOptions } from "../../../support/content/render-markdown.js";

const page = pageOf(pageEntry("a/post.md"), "# Title\n\nbody");
const input = { page, resolve: () => null };
const rendered = (html: string) => ({ html, headings: [] });

/** A format that wraps bodies in `<p>`, with a log of its work. */
function create(parts: Partial<MdFormatOptions> = {}) {
  const done: string[] = [];
  const state = { epoch: 0 };
  const bodies: MdFormatOptions["bodies"] = {
    render: async (raw) => {
      done.push(`render ${raw}`);
      return { rendered: rendered(`<p>${raw}</p>`), failure: null, references: ["b.md"] };
    },
    renderPreview: async (raw) => ({ rendered: rendered(raw), failure: null }),
    renderText: async (raw) => ({ rendered: rendered(`<i>${raw}</i>`), failure: null }),
    clean: async (html) => {
      done.push(`clean ${html}`);
      return { rendered: rendered(`clean ${html}`), failure: null };
    },
  };
  const format = new MdFormat({
    bodies,
    hooks: fakeHooks(),
    options: () => plainOptions,
    shortcodes: noShortcodes(),
    epoch: () => state.epoch,
    syntaxOf: () => [],
    reads: (_page, references) => references.map((reference) => `page:${reference}`),
    onOutcome: (_page, failure) => void (failure !== null && done.push(failure.code)),
    ...parts,
  });
  return { format, done, state, bodies };
}

/** Hooks, one of which replaces its input with a text. */
function hooksWith(wanted: HookName, change: Record<string, unknown>): MdFormatOptions["hooks"] {
  return fakeHooks(
    (name, data) => (name === wanted ? Object.assign(data, change) : data),
    [wanted],
  );
}

describe("MdFormat", () => {
  it("renders a body and returns the read tags of its references", async () => {
    const { html, reads } = await create().format.render(input);
    assert.equal(html, "<p># Title\n\nbody</p>");
    assert.deepEqual(reads, ["page:b.md"]);
  });

  it("caches the result until something in the tree changes", async () => {
    const { format, done, state } = create();
    assert.equal(await format.render(input), await format.render(input));
    assert.equal(done.length, 1);
    state.epoch += 1;
    await format.render(input);
    assert.equal(done.length, 2);
  });

  it("lets a plugin change the source, and does not cache then", async () => {
    const { format, done } = create({ hooks: hooksWith("onMarkdownProcess", { raw: "other" }) });
    await format.render(input);
    assert.equal((await format.render(input)).html, "<p>other</p>");
    assert.deepEqual(done, ["render other", "render other"]);
  });

  it("sanitises HTML changed by a plugin, unless the plugin trusts it", async () => {
    const changed = create({ hooks: hooksWith("onMarkdownProcessed", { html: "new" }) });
    assert.equal((await changed.format.render(input)).html, "clean new");
    const trusted = { html: "new", trusted: true };
    const vouched = create({ hooks: hooksWith("onMarkdownProcessed", trusted) });
    assert.equal((await vouched.format.render(input)).html, "new");
  });

  it("reports a failure and does not cache it", async () => {
    const failure = new RenderFailure("ERR_MARKDOWN_TIMEOUT", "too long");
    const { bodies } = create();
    const { format, done } = create({
      bodies: { ...bodies, render: async () => ({ rendered: rendered("source"), failure }) },
    });
    assert.equal((await format.render(input)).html, "source");
    await format.render(input);
    assert.deepEqual(done, ["ERR_MARKDOWN_TIMEOUT", "ERR_MARKDOWN_TIMEOUT"]);
  });

  it("renders loose text, and returns the text of a page", async () => {
    const { format } = create();
    assert.equal((await format.renderLoose(page)).html, "<i># Title\n\nbody</i>");
    assert.equal(format.text(page), "Title\nbody");
  });
});
