import { HttpError } from "#kernel";
import { mergeTexts } from "#lib/text";
import { textDigest, type Draft } from "../../drafts/draft-records.js";
import { type WorkingCopies, baseOf } from "../../drafts/working-copies.js";
import { contentPath, type PageFile } from "../../write/page-source.js";
import { PageWriter, type SaveOptions } from "../../write/save-page.js";
import {
  ifMatch,
  note,
  writeOptions,
  type IdentifiedExchange,
  type RouteParts,
} from "../route-parts.js";
import type { ContentChangeResult } from "../../../content/contract.js";
import { draftsApi } from "../../schemas/drafts.js";

/** A request about the working copy of a page. */
export interface DraftRequest extends IdentifiedExchange {
  /** The source path of the page. */
  readonly path: string;
}

/** Publishes working copies. */
export function publishDraftRoute(parts: RouteParts, copies: WorkingCopies): void {
  const { admin, site } = parts;
  const publisher = new DraftPublisher(copies, new PageWriter(site.use("content")));
  admin.route({
    method: "post",
    path: "/drafts/*path/publish",
    permission: "pages.update",
    summary: "Write a working copy to its page; edits there are merged, overlapping ones are a 409",
    responses: draftsApi["POST /drafts/*path/publish"].responses,
    body: { as: "json", limit: 16_384, schema: draftsApi["POST /drafts/*path/publish"].body },
    handler: async (req, res, { body, params, identity }) => {
      const path = contentPath(params["path"] ?? "");
      const { etag: seen, status, message = "" } = body;
      const outcome = await publisher.publish(
        { path, match: ifMatch(req), etag: seen, makesPublic: status !== undefined },
        { ...writeOptions(identity), ...(message !== "" && { message }) },
      );
      if ("conflict" in outcome) {
        const { live, draft, ...rest } = outcome.conflict;
        const answer = {
          ...rest,
          etag: textDigest(draft.content),
          liveEtag: live?.hash ?? null,
          live: live?.raw ?? null,
          draft: draft.content,
        };
        return site.http.json(req, res, answer, { status: 409 });
      }
      noteDraft(parts, { req, res, identity, path }, "publish");
      const etag = outcome.live?.hash ?? "";
      const answer = { published: true, sourcePath: path, etag, merged: outcome.isMerged };
      return site.http.json(req, res, answer, { headers: { ETag: `"${etag}"` } });
    },
  });
}

/** Writes an action on a working copy to the audit log. */
export function noteDraft(
  parts: RouteParts,
  { req, identity, path }: DraftRequest,
  action: string,
): void {
  const target = { type: "page", id: path };
  note(parts, req, { event: `draft.${action}`, actor: identity, target });
}

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
  readonly draft: Draft;
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
class DraftPublisher {
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
        const written = await this.#write(wanted, live, text.text, options);
        if (written.code !== "ERR_CONTENT_CONFLICT") {
          const after = await this.#copies.live(path);
          await this.#copies.published(draft, after);
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

function textToWrite(
  draft: Draft,
  live: PageFile | null,
  { match, etag }: Publication,
): TextToWrite | Conflicting {
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
