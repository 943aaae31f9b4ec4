import { HttpError } from "#kernel";
import { mergeTexts } from "#kernel/internal";
import type { ContentChangeResult } from "../../content/contract.js";
import type { PageFile } from "../write/page-source.js";
import type { PageWriter, SaveOptions } from "../write/save-page.js";
import { textDigest, type Draft } from "./draft-records.js";
import { baseOf } from "./save-draft.js";
import type { WorkingCopies } from "./working-copies.js";

const MAX_TRIES = 3;

/** What is published. */
export interface Publication {
  readonly path: string;
  /** Digest of the live file that the publisher has seen. */
  readonly match: string | undefined;
  /** Digest of the working copy that the publisher has seen. */
  readonly etag: string | undefined;
  /** True: also gives the page the status `published`. */
  readonly makesPublic: boolean;
}
/** The live file and the working copy, when they cannot be merged. */
export interface PublishConflict {
  readonly error: string;
  readonly base: string;
  readonly live: PageFile | null;
  readonly draft: Draft;
  readonly proposal: string | null;
}
/** What publishing leads to. */
export type PublishOutcome =
  | { readonly isMerged: boolean; readonly live: PageFile | null }
  | { readonly conflict: PublishConflict };

type Text = { readonly text: string; readonly isMerged: boolean } | { conflict: PublishConflict };

/** Writes working copies to their pages, merged with what changed there. */
export class DraftPublisher {
  readonly #copies: WorkingCopies;
  readonly #writer: PageWriter;

  constructor(copies: WorkingCopies, writer: PageWriter) {
    this.#copies = copies;
    this.#writer = writer;
  }

  /** @throws HttpError 404, and what the write path rejects. */
  publish(wanted: Publication, options: SaveOptions): Promise<PublishOutcome> {
    const { path } = wanted;
    return this.#copies.inTurn(path, async () => {
      for (let tries = 1; ; tries += 1) {
        const draft = await this.#copies.get(path);
        const live = await this.#copies.live(path);
        const text = textToWrite(draft, live, wanted);
        if ("conflict" in text) return text;
        const written = await this.#write({ draft, live, wanted }, text.text, options);
        if (written.code !== "ERR_CONTENT_CONFLICT") return this.#done(draft, text.isMerged);
        if (tries === MAX_TRIES)
          throw new HttpError(409, written.errors[0] ?? "the page has changed");
      }
    });
  }

  async #done(draft: Draft, isMerged: boolean): Promise<PublishOutcome> {
    const live = await this.#copies.live(draft.path);
    await this.#copies.published(draft, live);
    return { isMerged, live };
  }

  #write(
    { draft, live, wanted }: { draft: Draft; live: PageFile | null; wanted: Publication },
    text: string,
    options: SaveOptions,
  ): Promise<ContentChangeResult> {
    const { path, makesPublic } = wanted;
    const patch = makesPublic ? this.#copies.releasePatch(path, text) : null;
    if (live === null) {
      const created = { content: text, ...(patch !== null && { patch }) };
      return this.#writer.create(path, created, { ...options, mustPublish: makesPublic });
    }
    const edit = { content: text, ...(patch !== null && { frontmatter: patch }) };
    const ifHash = live.hash;
    return this.#writer.update(draft.path, edit, { ...options, ifHash });
  }
}

function textToWrite(draft: Draft, live: PageFile | null, { match, etag }: Publication): Text {
  const { base, content } = draft;
  const current = baseOf(live);
  const conflict = { base: base.text, live, draft, proposal: null };
  if (etag !== undefined && etag !== textDigest(content)) {
    const error = "the working copy was saved by someone else since it was read";
    return { conflict: { ...conflict, error } };
  }
  const isKnown = match === undefined || match === current.hash || match === base.hash;
  const error = live === null ? "the page was deleted" : "the page has changed";
  if (!isKnown) return { conflict: { ...conflict, error: `${error} since it was read` } };
  if (current.hash === base.hash) return { text: content, isMerged: false };
  if (live === null) return { conflict: { ...conflict, error } };
  const texts = { base: base.text, ours: content, theirs: live.raw };
  const merged = mergeTexts({ ...texts, labels: { ours: "working copy", theirs: "live" } });
  if (merged.conflicts === 0) return { text: merged.text, isMerged: true };
  return { conflict: { ...conflict, error, proposal: merged.text } };
}
