import { z } from "zod";
import type { MediaItem } from "../../../content/contract.js";
import { contentPath } from "../../write/page-source.js";
import { mediaAnswers } from "./media-list.js";
import { written } from "../../write/save-page.js";
import {
  dryRunQuery,
  sendDryRun,
  textChanges,
  note,
  notFound,
  writeOptions,
  type RouteParts,
} from "../route-parts.js";

const LIMIT = 64 * 1024;
const percent = z.number().min(0).max(100);
const text = z.string().max(2_000).nullable().optional();
const metaBody = z.object({
  path: z.string().min(1).max(1024).describe("File below the content folder"),
  meta: z
    .looseObject({
      alt: text,
      title: text,
      credit: text,
      focal_point: z.tuple([percent, percent]).nullable().optional(),
    })
    .describe("Keys to set; null removes a key, others are unchanged"),
});
const fileQuery = metaBody.pick({ path: true });

/** The sidecar `{file}.meta.yaml` of a page's file. */
export function mediaMetaRoutes(parts: RouteParts): void {
  const { admin, site } = parts;
  const content = site.use("content");
  admin.route({
    method: "get",
    path: "/media/meta",
    permission: "pages.read",
    summary: "The keys of a file's sidecar",
    responses: mediaAnswers.mediaMeta,
    query: fileQuery,
    handler: async (req, res, { query }) => {
      const { path, item } = await itemAt(parts, query.path);
      await site.http.json(req, res, { path, meta: item.meta });
    },
  });
  admin.route({
    method: "put",
    path: "/media/meta",
    permission: "media.upload",
    summary:
      "Set keys of a file's sidecar (alt, title, credit, focal_point); comments are preserved",
    responses: mediaAnswers.mediaMetaChange,
    query: dryRunQuery,
    body: { as: "json", limit: LIMIT, schema: metaBody },
    tool: {
      name: "describe_media",
      description: "Set the alternative text, title, credit or focal point of an image or file",
    },
    handler: async (req, res, { query: { dryRun }, body, identity }) => {
      const { path } = await itemAt(parts, body.path);
      const sidecar = `${path}.meta.yaml`;
      const options = { ...writeOptions(identity), message: `describe ${path}` };
      const patch = { op: "frontmatter", path: sidecar, patch: body.meta } as const;
      const [result] = await content.apply([patch], { ...options, dryRun, texts: dryRun });
      if (result === undefined) throw notFound();
      written(result);
      if (dryRun) return sendDryRun(parts, { req, res }, textChanges([result]));
      const { item } = await itemAt(parts, path);
      // The sidecar would be empty: delete it.
      const isEmpty = Object.keys(item.meta).length === 0;
      if (isEmpty) {
        await content.apply([{ op: "delete", path: sidecar, asServer: true }], options);
      }
      const target = { type: "media", id: path };
      const detail = { keys: Object.keys(body.meta).join(" ") };
      note(parts, req, { event: "media.update", actor: identity, target, detail });
      await site.http.json(req, res, { path, meta: item.meta });
    },
  });
}

/** @throws HttpError 404 when there is no such media file. */
async function itemAt(
  { site }: RouteParts,
  given: string,
): Promise<{ path: string; item: MediaItem }> {
  const path = contentPath(given);
  const at = path.lastIndexOf("/");
  const [folder, name] = [path.slice(0, Math.max(0, at)), path.slice(at + 1)];
  const content = site.use("content");
  const found = await content.mediaFile(folder, name);
  const item =
    found === null ? undefined : (await content.media(folder)).find((one) => one.name === name);
  if (item === undefined) throw notFound();
  return { path, item };
}
