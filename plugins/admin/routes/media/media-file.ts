import { z } from "zod";
import { HttpError } from "#kernel";
import { answers } from "../answers.js";
import { dryRunQuery, sendDryRun } from "../dry-run.js";
import { storeMedia, type MediaParts } from "./store-media.js";

/** Maximum size in bytes of a request; base64 enlarges files by a third. */
const BODY_BYTES = 14 * 1_048_576;

const fileBody = z.object({
  pagePath: z.string().max(1024).describe("Page (or folder) below the content folder"),
  name: z.string().min(1).max(300).describe("File name with an extension: harbour.jpg"),
  data: z.string().min(1).describe("The bytes of the file, as base64"),
  overwrite: z.boolean().default(false).describe("True: replaces a file with this name"),
});

/** Uploads without multipart, for programs that speak JSON. */
export function mediaFileRoute(media: MediaParts): void {
  const { admin, site } = media.parts;
  admin.route({
    method: "post",
    path: "/media/file",
    permission: "media.upload",
    summary: "Upload a file to a page as JSON with base64, at most 10 MB",
    paths: "own",
    responses: answers.mediaFile,
    query: dryRunQuery,
    body: { as: "json", limit: BODY_BYTES, schema: fileBody },
    tool: { name: "upload_media", description: "Upload an image or file to a page" },
    handler: async (req, res, { query: { dryRun }, body, identity }) => {
      const { data, ...file } = body;
      const bytes = bytesOf(data);
      const stored = await storeMedia(media, { req, identity, dryRun }, { ...file, bytes });
      const { path, item, replaces, warnings } = stored;
      if (!dryRun)
        return site.http.json(req, res, { ok: true, path, item, warnings }, { status: 201 });
      const before = replaces ? "a file with this name" : null;
      const after = `a file of ${bytes.length} bytes`;
      return sendDryRun(media.parts, { req, res }, { changes: [{ path, before, after }] });
    },
  });
}

/** @throws HttpError 400. */
function bytesOf(data: string): Buffer {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(data)) {
    throw new HttpError(400, "data: expected base64 without line breaks");
  }
  return Buffer.from(data, "base64");
}
