import type { MediaItem } from "../../../content/contract.js";
import { contentPath } from "../../write/page-source.js";
import { written } from "../../write/save-page.js";
import {
  sendDryRun,
  textChanges,
  note,
  notFound,
  writeOptions,
  type RouteParts,
} from "../route-parts.js";
import { mediaApi } from "../../schemas/media.js";

const LIMIT = 64 * 1024;

/** The sidecar `{file}.meta.yaml` of a page's file. */
export function mediaMetaRoutes(parts: RouteParts): void {
  const { admin, site } = parts;
  const content = site.use("content");
  admin.route({
    method: "get",
    path: "/media/meta",
    permission: "pages.read",
    summary: "The keys of a file's sidecar",
    responses: mediaApi["GET /media/meta"].responses,
    query: mediaApi["GET /media/meta"].query,
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
    responses: mediaApi["PUT /media/meta"].responses,
    query: mediaApi["PUT /media/meta"].query,
    body: { as: "json", limit: LIMIT, schema: mediaApi["PUT /media/meta"].body },
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
