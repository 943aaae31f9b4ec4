import type { Request, Response } from "express";
import { z } from "zod";
import type { AdminIdentity } from "../../contract.js";
import { textDigest } from "../../drafts/draft-records.js";
import { DraftPublisher, type PublishConflict } from "../../drafts/publish-draft.js";
import type { WorkingCopies } from "../../drafts/working-copies.js";
import { contentPath } from "../../write/page-source.js";
import { PageWriter } from "../../write/save-page.js";
import { draftAnswers } from "./draft-answers.js";
import { ifMatch, note, writeOptions, type RouteParts } from "../route-parts.js";

const publishBody = z.object({
  etag: z.string().max(100).optional().describe("ETag of the working copy"),
  status: z.literal("published").optional().describe("Also gives the page this status"),
  message: z.string().max(1_000).optional(),
});

interface Call {
  req: Request;
  res: Response;
  path: string;
  identity: AdminIdentity;
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
    responses: draftAnswers.publish,
    body: { as: "json", limit: 16_384, schema: publishBody },
    handler: (req, res, { body, params, identity }) => {
      const path = contentPath(params["path"] ?? "");
      return publish({ parts, publisher }, { req, res, path, identity }, body);
    },
  });
}

async function publish(
  { parts, publisher }: { parts: RouteParts; publisher: DraftPublisher },
  { req, res, path, identity }: Call,
  body: z.infer<typeof publishBody>,
): Promise<void> {
  const { etag: seen, status, message = "" } = body;
  const outcome = await publisher.publish(
    { path, match: ifMatch(req), etag: seen, makesPublic: status !== undefined },
    { ...writeOptions(identity), ...(message !== "" && { message }) },
  );
  if ("conflict" in outcome) {
    await parts.site.http.json(req, res, conflictOf(outcome.conflict), { status: 409 });
    return;
  }
  noteDraft(parts, { req, identity, path }, "publish");
  const etag = outcome.live?.hash ?? "";
  const answer = { published: true, sourcePath: path, etag, merged: outcome.isMerged };
  await parts.site.http.json(req, res, answer, { headers: { ETag: `"${etag}"` } });
}

function conflictOf({ error, base, live, draft, proposal }: PublishConflict) {
  const etags = { etag: textDigest(draft.content), liveEtag: live?.hash ?? null };
  return { error, ...etags, base, live: live?.raw ?? null, draft: draft.content, proposal };
}

/** Writes an action on a working copy to the audit log. */
export function noteDraft(
  parts: RouteParts,
  { req, identity, path }: Pick<Call, "req" | "identity" | "path">,
  event: string,
): void {
  const target = { type: "page", id: path };
  note(parts, req, { event: `draft.${event}`, actor: identity, target });
}
