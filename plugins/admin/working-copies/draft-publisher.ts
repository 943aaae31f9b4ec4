import { HttpError } from "#kernel";
import { mergeTexts } from "#lib/text";
import type { ContentChangeResult, WriteRights } from "../../content/contract.js";
import type { PageFile } from "../write/page-source.js";
import type { PageWriter, SaveOptions } from "../write/save-page.js";
import { textDigest, type WorkingCopy } from "./working-copy-store.js";
import { toBase, type WorkingCopies } from "./working-copies.js";

const MAX_TRIES = 3;

/** A working copy to publish. */
interface Publication {
  readonly path: string;
  /** Digest of the live file that the publisher has seen. */
  readonly match: string | undefined;
  /** Digest of the working copy that the publisher has seen. */
  readonly etag: string | undefined;
  /** True: also gives the page the status `published`. */
  readonly makesPublic: boolean;
}
/** The live file and the working copy, when they cannot be merged. */
interface PublishConflict {
  readonly error: string;
  readonly base: string;
  readonly live: PageFile | null;
  readonly workingCopy: WorkingCopy;
  readonly proposal: string | null;
}
/** The result of publishing. */
type PublishOutcome = Published | Conflicting;
interface Published {
  readonly isMerged: boolean;
  /** The page after publishing. */
  readonly live: PageFile | null;
}
interface Conflicting {
  readonly conflict: PublishConflict;
}

interface TextToWrite {
  readonly text: string;
  /** True: the page has changed since the working copy began, and the text has both changes. */
  readonly isMerged: boolean;
}

/** Writes working copies to their pages, merged with what changed there. */
export class DraftPublisher {
  readonly #copies: WorkingCopies;
  readonly #writer: PageWriter;

  constructor(copies: WorkingCopies, writer: PageWriter) {
    this.#copies = copies;
    this.#writer = writer;
  }

  /** @throws HttpError 404, and what the write path rejects. */
  publish(publication: Publication, options: SaveOptions): Promise<PublishOutcome> {
    const { path } = publication;
    return this.#copies.inTurn(path, async () => {
      for (let tries = 1; ; tries += 1) {
        const workingCopy = await this.#copies.get(path);
        const live = await this.#copies.live(path);
        const text = textToWrite(workingCopy, live, publication);
        if ("conflict" in text) return text;
        const rights = ofCreator(options.rights, workingCopy);
        const written = await this.#write(publication, live, text.text, { ...options, rights });
        if (written.code !== "ERR_CONTENT_CONFLICT") {
          const after = await this.#copies.live(path);
          await this.#copies.published(workingCopy, after);
          return { isMerged: text.isMerged, live: after };
        }
        if (tries === MAX_TRIES) {
          throw new HttpError(409, written.errors[0] ?? "the page has changed");
        }
      }
    });
  }

  #write(
    { path, makesPublic }: Publication,
    live: PageFile | null,
    text: string,
    options: SaveOptions,
  ): Promise<ContentChangeResult> {
    const patch = makesPublic ? this.#copies.releasePatch(path, text) : null;
    if (live === null) {
      const created = { content: text, ...(patch !== null && { patch }) };
      return this.#writer.create(path, created, { ...options, mustPublish: makesPublic });
    }
    const edit = { content: text, ...(patch !== null && { frontmatter: patch }) };
    return this.#writer.update(path, edit, { ...options, ifHash: live.hash });
  }
}

/** A new page belongs to the account that began its working copy, not to the publisher. */
function ofCreator(rights: WriteRights, { createdBy }: WorkingCopy): WriteRights {
  const isAccount = createdBy !== null && !createdBy.id.startsWith("token:");
  return rights.owner === null || !isAccount ? rights : { ...rights, owner: createdBy.id };
}

function textToWrite(
  workingCopy: WorkingCopy,
  live: PageFile | null,
  { match, etag }: Publication,
): TextToWrite | Conflicting {
  const { base, content } = workingCopy;
  const current = toBase(live);
  const conflict = { base: base.text, live, workingCopy, proposal: null };
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
