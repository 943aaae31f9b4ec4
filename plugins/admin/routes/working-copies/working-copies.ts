import type { Request } from "express";
import type { z } from "zod";
import type { RouteTool } from "#kernel";
import { assertAt, lacksOf, mayAt } from "../../accounts/rights.js";
import type { AdminIdentity } from "../../contract.js";
import {
  WorkingCopyStore,
  textDigest,
  type Review,
  type WorkingCopy,
} from "../../working-copies/working-copy-store.js";
import { addReviewMails, ReviewMails } from "../../working-copies/review-mails.js";
import { WorkingCopies, isWaiting } from "../../working-copies/working-copies.js";
import { contentPath } from "../../write/page-source.js";
import {
  sendDryRun,
  sendMoved,
  ifMatch,
  writeOptions,
  type Exchange,
  type AdminContext,
  note,
  type IdentifiedExchange,
} from "../admin-context.js";
import { workflowApi } from "../../schemas/workflow.js";
import { copyRoute } from "./copy-route.js";
import { plannedChangeRoutes } from "./planned-changes.js";
import { announceReview, reviewRoutes, toPerson, toRow } from "./reviews.js";
import { DraftPublisher } from "../../working-copies/draft-publisher.js";
import { PageWriter } from "../../write/save-page.js";

/** Maximum size in bytes of a save request: two texts, enlarged by JSON escapes. */
const SAVE_BYTES = 24 * 1_048_576;

/** Lets agents propose texts; people publish them. */
const proposeTool = {
  name: "propose_page",
  effect: "propose",
  description:
    "Propose a new text for a page as a working copy, and ask for a review. A person publishes it in the panel",
  fixed: { review: true },
} as const satisfies RouteTool;

/** Working copies of pages: list, read, save, discard, publish; with their reviews. */
export function draftRoutes(context: AdminContext): void {
  const { admin, site } = context;
  const copies = new WorkingCopies(site, new WorkingCopyStore(site.use("records")));
  site.changes.listen("admin.drafts", (batch) => copies.follow(batch));
  const mails = new ReviewMails(site, context.account.roles);
  site.lifecycle.onReady(() => addReviewMails(site));
  const publisher = new DraftPublisher(copies, new PageWriter(site.use("content")));
  publishDraftRoute({ ...context, copies, mails }, publisher);
  plannedChangeRoutes(context, copies, publisher);
  reviewRoutes(context, copies, mails);
  admin.route({
    method: "get",
    path: "/drafts",
    permission: "pages.read",
    summary: "Working copies, the latest change first",
    paths: "own",
    responses: workflowApi["GET /drafts"].responses,
    query: workflowApi["GET /drafts"].query,
    handler: async (req, res, { query, identity }) => {
      const { path: onlyPath } = query;
      if (onlyPath !== undefined) assertAt(identity, "pages.read", [onlyPath]);
      const stored = onlyPath === undefined ? copies.list() : copies.of(contentPath(onlyPath));
      const all = (await stored).filter(({ path }) => mayAt(identity, "pages.read", path));
      const matches = all.filter(({ review }) => isListed(review, query.review));
      const items = matches.map((workingCopy) => ({
        ...toRow(context, workingCopy),
        ...lacksOf(identity, workingCopy.path),
      }));
      await site.http.json(req, res, { items, total: items.length });
    },
  });
  admin.route({
    method: "get",
    path: "/drafts/*path",
    permission: "pages.read",
    summary: "The working copy of a page with its ETag",
    responses: workflowApi["GET /drafts/*path"].responses,
    handler: async (req, res, { params }) => {
      const workingCopy = await copies.get(contentPath(params["path"] ?? ""));
      await sendWorkingCopy(context, { req, res }, workingCopyView(context, workingCopy), 200);
    },
  });
  addWrites(context, copies, mails);
}

/** True for a working copy of the list: `requested` waits for a review, `sent-back` has its answer. */
function isListed(review: Review | null, wanted: "requested" | "sent-back" | undefined): boolean {
  if (wanted === undefined) return true;
  return wanted === "requested" ? isWaiting(review) : review !== null && !isWaiting(review);
}

function addWrites(context: AdminContext, copies: WorkingCopies, mails: ReviewMails): void {
  const { site } = context;
  copyRoute(context, {
    method: "put",
    path: "/drafts/*path",
    permission: "pages.update",
    summary:
      "Save a working copy; with If-Match, separate edits are merged and overlapping ones are a 409",
    responses: workflowApi["PUT /drafts/*path"].responses,
    query: workflowApi["PUT /drafts/*path"].query,
    body: { as: "json", limit: SAVE_BYTES, schema: workflowApi["PUT /drafts/*path"].body },
    tool: proposeTool,
    handler: async (req, res, { query, body, params, identity }) => {
      const path = contentPath(params["path"] ?? "");
      if (await sendMoved(context, { req, res, identity, sourcePath: path })) return;
      await copies.assertMaySave(path, body.content, writeOptions(identity).rights);
      if (!query.dryRun)
        return save({ ...context, copies, mails }, { req, res, path, identity }, body);
      const before = (await copies.live(path))?.raw ?? null;
      return sendDryRun(context, { req, res }, [{ path, before, after: body.content }]);
    },
  });
  copyRoute(context, {
    method: "delete",
    path: "/drafts/*path",
    permission: "pages.update",
    summary: "Discard a working copy",
    responses: workflowApi["DELETE /drafts/*path"].responses,
    handler: async (req, res, { params, identity }) => {
      const path = contentPath(params["path"] ?? "");
      await copies.discard(path, ifMatch(req));
      noteDraft(context, { req, res, identity, path }, "discard");
      await site.http.json(req, res, { discarded: true, sourcePath: path });
    },
  });
}

/** Dependencies of the routes that save and publish working copies. */
interface DraftContext extends AdminContext {
  readonly copies: WorkingCopies;
  readonly mails: ReviewMails;
}

async function save(
  context: DraftContext,
  call: DraftRequest,
  { review, note: reviewNote, ...text }: z.infer<(typeof workflowApi)["PUT /drafts/*path"]["body"]>,
): Promise<void> {
  const { req, res, path, identity } = call;
  const { copies, mails } = context;
  const isNew = (await copies.find(path)) === null;
  const edit = {
    ...text,
    match: readMatch(req),
    rights: writeOptions(identity).rights,
  };
  const outcome = await copies.save(path, edit, toPerson(identity));
  if ("conflict" in outcome) {
    const workingCopy = await copies.find(path);
    const answer = {
      ...outcome.conflict,
      etag: workingCopy === null ? null : textDigest(workingCopy.content),
      liveEtag: (await copies.live(path))?.hash ?? null,
      yours: text.content,
    };
    await context.site.http.json(req, res, answer, { status: 409 });
    return;
  }
  if (isNew) noteDraft(context, call, "create");
  let { workingCopy } = outcome;
  if (review === true) {
    workingCopy = await copies.askForReview(path, toPerson(identity), reviewNote);
    announceReview(context, mails, { req, identity, workingCopy });
  }
  const view = { ...workingCopyView(context, workingCopy), merged: outcome.isMerged };
  await sendWorkingCopy(context, call, view, isNew ? 201 : 200);
}

async function sendWorkingCopy(
  { site }: AdminContext,
  { req, res }: Exchange,
  view: ReturnType<typeof workingCopyView>,
  status: number,
): Promise<void> {
  await site.http.json(req, res, view, { status, headers: { ETag: `"${view.etag}"` } });
}

function workingCopyView(context: AdminContext, workingCopy: WorkingCopy) {
  return { ...toRow(context, workingCopy), content: workingCopy.content };
}

/** Reads the header as `ifMatch` does, but tells `*` from an absent one. */
function readMatch(req: Request): string | undefined {
  return req.headers["if-match"]?.trim() === "*" ? "*" : ifMatch(req);
}

/** A request about the working copy of a page. */
interface DraftRequest extends IdentifiedExchange {
  /** The source path of the page. */
  readonly path: string;
}

/** Publishes working copies. */
function publishDraftRoute(context: DraftContext, publisher: DraftPublisher): void {
  const { site, copies } = context;
  copyRoute(context, {
    method: "post",
    path: "/drafts/*path/publish",
    permission: "pages.update",
    summary: "Write a working copy to its page; edits there are merged, overlapping ones are a 409",
    responses: workflowApi["POST /drafts/*path/publish"].responses,
    body: { as: "json", limit: 16_384, schema: workflowApi["POST /drafts/*path/publish"].body },
    handler: async (req, res, { body, params, identity }) => {
      const path = contentPath(params["path"] ?? "");
      if (await sendMoved(context, { req, res, identity, sourcePath: path })) return;
      const { etag: seen, status, message = "" } = body;
      const reviewed = await copies.find(path);
      const outcome = await publisher.publish(
        { path, match: ifMatch(req), etag: seen, makesPublic: status !== undefined },
        { ...writeOptions(identity), ...(message !== "" && { message }) },
      );
      if ("conflict" in outcome) {
        const { live, workingCopy, ...rest } = outcome.conflict;
        const conflict = {
          ...rest,
          etag: textDigest(workingCopy.content),
          liveEtag: live?.hash ?? null,
          live: live?.raw ?? null,
          draft: workingCopy.content,
        };
        return site.http.json(req, res, conflict, { status: 409 });
      }
      announcePublication(context, { req, res, identity, path }, reviewed, body.note);
      const etag = outcome.live?.hash ?? "";
      const published = { published: true, sourcePath: path, etag, merged: outcome.isMerged };
      return site.http.json(req, res, published, { headers: { ETag: `"${etag}"` } });
    },
  });
}

/** Writes a publication to the audit log; an approval is also reported to the person who asked for the review. */
function announcePublication(
  context: DraftContext,
  call: DraftRequest,
  reviewed: WorkingCopy | null,
  answer: string,
): void {
  const { path, identity } = call;
  const asker = reviewed?.review?.by ?? null;
  if (reviewed === null || asker === null || !isApproval(identity, reviewed)) {
    noteDraft(context, call, "publish");
    return;
  }
  noteDraft(context, call, "approve");
  const news = { path, title: reviewed.title, by: toPerson(identity), note: answer };
  context.mails.approved(news, asker);
}

/** True when another person asked the identity for a review, and it has the right to publish. */
function isApproval(identity: AdminIdentity, { path, review }: WorkingCopy): boolean {
  const isAsked = isWaiting(review) && review.by.id !== identity.id;
  return isAsked && mayAt(identity, "pages.publish", path);
}

/** Writes an action on a working copy to the audit log. */
function noteDraft(
  context: AdminContext,
  { req, identity, path }: DraftRequest,
  action: string,
): void {
  const target = { type: "page", id: path };
  note(context, req, { event: `draft.${action}`, actor: identity, target });
}
