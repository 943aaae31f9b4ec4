import type { Request } from "express";
import type { z } from "zod";
import { assertAt, mayAt } from "../../accounts/rights.js";
import type { AdminIdentity } from "../../contract.js";
import { DraftRecords, textDigest, type Draft } from "../../drafts/draft-records.js";
import { WorkingCopies } from "../../drafts/working-copies.js";
import { contentPath } from "../../write/page-source.js";
import {
  sendDryRun,
  ifMatch,
  writeOptions,
  type Exchange,
  type RouteParts,
} from "../route-parts.js";
import type { RouteTool } from "#kernel/internal";
import { noteDraft, publishDraftRoute, type DraftRequest } from "./publish-draft.js";
import { draftsApi } from "../../schemas/drafts.js";

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

/** Working copies of pages: list, read, save, discard, publish, ask for a review. */
export function draftRoutes(parts: RouteParts): void {
  const { admin, site } = parts;
  const copies = new WorkingCopies(site, new DraftRecords(site.use("records")));
  site.changes.listen("admin.drafts", (batch) => copies.follow(batch));
  publishDraftRoute(parts, copies);
  admin.route({
    method: "get",
    path: "/drafts",
    permission: "pages.read",
    summary: "Working copies, the latest change first",
    paths: "own",
    responses: draftsApi["GET /drafts"].responses,
    query: draftsApi["GET /drafts"].query,
    handler: async (req, res, { query, identity }) => {
      const { path: wanted } = query;
      if (wanted !== undefined) assertAt(identity, "pages.read", [wanted]);
      const known = wanted === undefined ? copies.list() : copies.of(contentPath(wanted));
      const all = (await known).filter(({ path }) => mayAt(identity, "pages.read", path));
      const found = query.review === undefined ? all : all.filter(({ review }) => review !== null);
      const items = found.map((draft) => rowOf(parts, draft));
      await site.http.json(req, res, { items, total: items.length });
    },
  });
  admin.route({
    method: "get",
    path: "/drafts/*path",
    permission: "pages.read",
    summary: "The working copy of a page with its ETag",
    responses: draftsApi["GET /drafts/*path"].responses,
    handler: async (req, res, { params }) => {
      const draft = await copies.get(contentPath(params["path"] ?? ""));
      await sendDraft(parts, { req, res }, draftView(parts, draft), 200);
    },
  });
  addWrites(parts, copies);
}

function addWrites(parts: RouteParts, copies: WorkingCopies): void {
  const { admin, site } = parts;
  admin.route({
    method: "put",
    path: "/drafts/*path",
    permission: "pages.update",
    summary:
      "Save a working copy; with If-Match, separate edits are merged and overlapping ones are a 409",
    responses: draftsApi["PUT /drafts/*path"].responses,
    query: draftsApi["PUT /drafts/*path"].query,
    body: { as: "json", limit: SAVE_BYTES, schema: draftsApi["PUT /drafts/*path"].body },
    tool: proposeTool,
    handler: async (req, res, { query, body, params, identity }) => {
      const path = contentPath(params["path"] ?? "");
      await copies.assertMaySave(path, body.content, writeOptions(identity).rights);
      if (!query.dryRun) return save(parts, copies, { req, res, path, identity }, body);
      const before = (await copies.live(path))?.raw ?? null;
      return sendDryRun(parts, { req, res }, [{ path, before, after: body.content }]);
    },
  });
  admin.route({
    method: "delete",
    path: "/drafts/*path",
    permission: "pages.update",
    summary: "Discard a working copy",
    responses: draftsApi["DELETE /drafts/*path"].responses,
    handler: async (req, res, { params, identity }) => {
      const path = contentPath(params["path"] ?? "");
      await copies.discard(path, ifMatch(req));
      noteDraft(parts, { req, res, identity, path }, "discard");
      await site.http.json(req, res, { discarded: true, sourcePath: path });
    },
  });
  admin.route({
    method: "post",
    path: "/drafts/*path/review",
    permission: "pages.update",
    summary: "Ask for a review of a working copy, or withdraw the request",
    responses: draftsApi["POST /drafts/*path/review"].responses,
    body: { as: "json", limit: 16_384, schema: draftsApi["POST /drafts/*path/review"].body },
    handler: async (req, res, { body, params, identity }) => {
      const path = contentPath(params["path"] ?? "");
      const draft = await copies.review(path, body.requested, personOf(identity));
      noteDraft(
        parts,
        { req, res, identity, path },
        body.requested ? "review" : "review_withdrawn",
      );
      await site.http.json(req, res, rowOf(parts, draft));
    },
  });
}

async function save(
  parts: RouteParts,
  copies: WorkingCopies,
  call: DraftRequest,
  { review, ...text }: z.infer<(typeof draftsApi)["PUT /drafts/*path"]["body"]>,
): Promise<void> {
  const { req, res, path, identity } = call;
  const isNew = (await copies.find(path)) === null;
  const outcome = await copies.save(path, { ...text, match: matchOf(req) }, personOf(identity));
  if ("conflict" in outcome) {
    const draft = await copies.find(path);
    const answer = {
      ...outcome.conflict,
      etag: draft === null ? null : textDigest(draft.content),
      liveEtag: (await copies.live(path))?.hash ?? null,
      yours: text.content,
    };
    await parts.site.http.json(req, res, answer, { status: 409 });
    return;
  }
  if (isNew) noteDraft(parts, call, "create");
  let { draft } = outcome;
  if (review === true) {
    draft = await copies.review(path, true, personOf(identity));
    noteDraft(parts, call, "review");
  }
  const view = { ...draftView(parts, draft), merged: outcome.isMerged };
  await sendDraft(parts, call, view, isNew ? 201 : 200);
}

async function sendDraft(
  { site }: RouteParts,
  { req, res }: Exchange,
  view: ReturnType<typeof draftView>,
  status: number,
): Promise<void> {
  await site.http.json(req, res, view, { status, headers: { ETag: `"${view.etag}"` } });
}

function draftView(parts: RouteParts, draft: Draft) {
  return { ...rowOf(parts, draft), content: draft.content };
}

function rowOf({ site }: RouteParts, draft: Draft) {
  const { path, title, author, createdAt, updatedAt, review, base, content } = draft;
  const pages = site.use("content");
  const live = (pages.brokenPage(path) ?? pages.generation().bySource.get(path))?.hash ?? null;
  return {
    sourcePath: path,
    title,
    author,
    createdAt,
    updatedAt,
    review,
    etag: textDigest(content),
    baseEtag: base.hash ?? "",
    isBehind: live !== base.hash,
  };
}

/** As `ifMatch`, but tells `*` from an absent header. */
function matchOf(req: Request): string | undefined {
  return req.headers["if-match"]?.trim() === "*" ? "*" : ifMatch(req);
}

function personOf({ id, name }: AdminIdentity) {
  return { id, name };
}
