import type { Request } from "express";
import type { AdminIdentity } from "../../contract.js";
import { workflowApi } from "../../schemas/workflow.js";
import { bodyChanges, bodyOf, fieldChanges } from "../../working-copies/text-changes.js";
import type { ReviewMails } from "../../working-copies/review-mails.js";
import { planProblem, toBase, type WorkingCopies } from "../../working-copies/working-copies.js";
import { textDigest, type WorkingCopy } from "../../working-copies/working-copy-store.js";
import { contentPath } from "../../write/page-source.js";
import { isRecord } from "#kernel";
import { mergeTexts } from "#lib/text";
import { note, type AdminContext } from "../admin-context.js";
import { copyRoute } from "./copy-route.js";

/** Reviews of working copies: what a text changes, asking for a review, and sending a text back. */
export function reviewRoutes(
  context: AdminContext,
  copies: WorkingCopies,
  mails: ReviewMails,
): void {
  const { admin, site } = context;
  admin.route({
    method: "get",
    path: "/drafts/*path/changes",
    permission: "pages.read",
    summary: "What publishing a working copy changes, per field and per paragraph",
    responses: workflowApi["GET /drafts/*path/changes"].responses,
    handler: async (req, res, { params }) => {
      const workingCopy = await copies.get(contentPath(params["path"] ?? ""));
      await site.http.json(req, res, await changesOf(context, copies, workingCopy));
    },
  });
  copyRoute(context, {
    method: "post",
    path: "/drafts/*path/review",
    permission: "pages.update",
    summary: "Ask for a review of a working copy, or withdraw the request",
    responses: workflowApi["POST /drafts/*path/review"].responses,
    body: { as: "json", limit: 16_384, schema: workflowApi["POST /drafts/*path/review"].body },
    handler: async (req, res, { body, params, identity }) => {
      const path = contentPath(params["path"] ?? "");
      if (body.requested) {
        const workingCopy = await copies.askForReview(path, toPerson(identity), body.note);
        announceReview(context, mails, { req, identity, workingCopy });
        return site.http.json(req, res, toRow(context, workingCopy));
      }
      const workingCopy = await copies.withdrawReview(path);
      const target = { type: "page", id: path };
      note(context, req, { event: "draft.review_withdrawn", actor: identity, target });
      return site.http.json(req, res, toRow(context, workingCopy));
    },
  });
  copyRoute(context, {
    method: "post",
    path: "/drafts/*path/send-back",
    permission: "pages.publish",
    summary: "Answer a request for a review with a note: the text needs more work",
    responses: workflowApi["POST /drafts/*path/send-back"].responses,
    body: { as: "json", limit: 16_384, schema: workflowApi["POST /drafts/*path/send-back"].body },
    handler: async (req, res, { body, params, identity }) => {
      const path = contentPath(params["path"] ?? "");
      const by = toPerson(identity);
      const workingCopy = await copies.sendBack(path, by, body.note);
      const { title, review } = workingCopy;
      const target = { type: "page", id: path };
      note(context, req, { event: "draft.sent_back", actor: identity, target });
      if (review !== null && review.by.id !== by.id) {
        mails.sentBack({ path, title, by, note: body.note }, review.by);
      }
      await site.http.json(req, res, toRow(context, workingCopy));
    },
  });
}

/** A request for a review that was just stored. */
interface AskedReview {
  readonly req: Request;
  readonly identity: AdminIdentity;
  readonly workingCopy: WorkingCopy;
}

/** Writes a request for a review to the audit log, and notifies the accounts that may publish the page. */
export function announceReview(
  context: AdminContext,
  mails: ReviewMails,
  { req, identity, workingCopy: { path, title, review } }: AskedReview,
): void {
  note(context, req, {
    event: "draft.review",
    actor: identity,
    target: { type: "page", id: path },
  });
  mails.requested({ path, title, by: toPerson(identity), note: review?.note ?? "" });
}

/** An account as the author of something. */
export function toPerson({ id, name }: AdminIdentity): { id: string; name: string } {
  return { id, name };
}

/** A working copy in lists. */
export function toRow({ site }: AdminContext, workingCopy: WorkingCopy) {
  const { path, title, author, createdAt, updatedAt, review, plan, base, content } = workingCopy;
  const pages = site.use("content");
  const live = (pages.brokenPage(path) ?? pages.generation().bySource.get(path))?.hash ?? null;
  return {
    sourcePath: path,
    title,
    author,
    createdAt,
    updatedAt,
    review,
    plan: plan && { at: plan.at, by: plan.by, problem: planProblem(workingCopy) },
    etag: textDigest(content),
    baseEtag: base.hash ?? "",
    isBehind: live !== base.hash,
  };
}

/** The live page beside the text that publishing would write: with what changed there since. */
async function changesOf({ site }: AdminContext, copies: WorkingCopies, workingCopy: WorkingCopy) {
  const { path, content, base, title } = workingCopy;
  const live = await copies.live(path);
  const isBehind = toBase(live).hash !== base.hash;
  const merged =
    isBehind && live !== null
      ? mergeTexts({ base: base.text, ours: content, theirs: live.raw })
      : { text: content, conflicts: 0 };
  const text = merged.conflicts === 0 ? merged.text : content;
  const { blueprints } = site.use("content");
  const { blueprint, frontmatter } = blueprints.describe(path, text);
  const labels = new Map((blueprint?.fields ?? []).map(({ name, label }) => [name, label]));
  return {
    sourcePath: path,
    title,
    isNew: live === null,
    hasConflict: merged.conflicts > 0,
    fields: fieldChanges(live?.frontmatter ?? {}, isRecord(frontmatter) ? frontmatter : {}, labels),
    text: bodyChanges(live === null ? "" : bodyOf(live.raw), bodyOf(text)),
  };
}
