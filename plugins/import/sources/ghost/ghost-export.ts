/** The JSON export of Ghost, checked. */
import { basename } from "node:path";
import { z } from "zod";
import { sourceError } from "../../errors.js";
import { readWholeText } from "../read-text.js";

const MAX_LENGTH = 256 * 1_048_576;

const id = z.union([z.string(), z.number()]).transform(String);
const text = z
  .string()
  .nullish()
  .catch(null)
  .transform((value) => value ?? "");
const moment = z.union([z.string(), z.number()]).nullish().catch(null);

const post = z.looseObject({
  id,
  ...{ title: text, slug: text, html: text, lexical: text, mobiledoc: text, markdown: text },
  ...{ feature_image: text, image: text, status: text, visibility: text, type: text },
  ...{ custom_excerpt: text, meta_description: text, plaintext: text },
  ...{ published_at: moment, created_at: moment },
  page: z.union([z.boolean(), z.number()]).nullish().catch(null),
  featured: z.union([z.boolean(), z.number()]).nullish().catch(null),
  author_id: id.nullish().catch(null),
});
const named = z.looseObject({ id, name: text, slug: text, visibility: text });
const list = <T extends z.ZodType>(item: T) =>
  z
    .array(item)
    .nullish()
    .transform((items) => items ?? []);
const data = z.looseObject({
  posts: z.array(post),
  tags: list(named),
  users: list(named),
  posts_tags: list(
    z.looseObject({ post_id: id, tag_id: id, sort_order: z.number().nullish().catch(null) }),
  ),
  posts_authors: list(z.looseObject({ post_id: id, author_id: id })),
  posts_meta: list(z.looseObject({ post_id: id, meta_description: text, feature_image_alt: text })),
  members: list(z.looseObject({ email: text, name: text, status: text })),
});
const wrapped = z.union([
  z.looseObject({ db: z.array(z.looseObject({ data })).min(1) }).transform(({ db }) => db[0]?.data),
  z.looseObject({ data }).transform((one) => one.data),
]);

/** A post or page of an export. */
export type GhostPost = z.infer<typeof post>;
/** The tables of an export. */
export type GhostData = z.infer<typeof data>;

/** Reads an export. @throws ERR_IMPORT_SOURCE */
export async function readGhostExport(path: string): Promise<GhostData> {
  const file = basename(path);
  const source = await readWholeText(path, MAX_LENGTH);
  const parsed = wrapped.safeParse(parseJson(source, file));
  if (parsed.success && parsed.data !== undefined) return parsed.data;
  const issue = parsed.error?.issues[0];
  const place =
    issue === undefined || issue.path.length === 0 ? "db[0].data.posts" : issue.path.join(".");
  throw sourceError(
    { file },
    `it is no export of Ghost: ${place} is missing or invalid`,
    "use the file of Settings → Import/Export",
  );
}

/** Parses JSON. @throws ERR_IMPORT_SOURCE with the line. */
export function parseJson(source: string, file: string): unknown {
  try {
    return JSON.parse(source);
  } catch (error) {
    const message = error instanceof Error ? error.message : "invalid";
    const position = /position (\d+)/.exec(message)?.[1];
    const line =
      position === undefined
        ? source.split("\n").length
        : source.slice(0, Number(position)).split("\n").length;
    throw sourceError({ file, line }, "invalid JSON");
  }
}
