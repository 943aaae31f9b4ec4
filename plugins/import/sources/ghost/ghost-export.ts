/** The JSON export of Ghost, checked, and read in parts. */
import { basename } from "node:path";
import { z } from "zod";
import { schemaMistakes } from "#lib/schema";
import { sourceError } from "../../errors.js";
import { JsonFile, type JsonElement } from "../read-json.js";

/** The brackets around the rows of a table, in both forms of exports. */
const PLACES = ["{[{{[", "{{["];

const id = z.union([z.string(), z.number()]).transform(String);
const text = z
  .string()
  .nullish()
  .catch(null)
  .transform((value) => value ?? "");
const moment = z.union([z.string(), z.number()]).nullish().catch(null);

const post = z.looseObject({
  id,
  title: text,
  slug: text,
  html: text,
  lexical: text,
  mobiledoc: text,
  markdown: text,
  feature_image: text,
  image: text,
  status: text,
  visibility: text,
  type: text,
  custom_excerpt: text,
  meta_description: text,
  plaintext: text,
  published_at: moment,
  created_at: moment,
  page: z.union([z.boolean(), z.number()]).nullish().catch(null),
  featured: z.union([z.boolean(), z.number()]).nullish().catch(null),
  author_id: id.nullish().catch(null),
});
const named = z.looseObject({ id, name: text, slug: text, visibility: text });
const order = z.number().nullish().catch(null);
/** The rows of the tables beside the posts. */
const rows = {
  tags: named,
  users: z.looseObject({ id, name: text, slug: text, bio: text, profile_image: text }),
  settings: z.looseObject({ key: text, value: z.unknown() }),
  posts_tags: z.looseObject({ post_id: id, tag_id: id, sort_order: order }),
  posts_authors: z.looseObject({ post_id: id, author_id: id, sort_order: order }),
  posts_meta: z.looseObject({ post_id: id, meta_description: text, feature_image_alt: text }),
  members: z.looseObject({ email: text, name: text, status: text }),
} as const;
const objects = z.array(z.looseObject({}));
const list = objects.nullish();
const data = z.looseObject({
  posts: objects,
  tags: list,
  users: list,
  settings: list,
  posts_tags: list,
  posts_authors: list,
  posts_meta: list,
  members: list,
});
const outline = z.union([
  z.looseObject({ db: z.array(z.looseObject({ data })).min(1) }),
  z.looseObject({ data }),
]);

/** A post or page of an export. */
export type GhostPost = z.infer<typeof post>;
/** The tables of an export beside its posts. */
export type GhostData = { [T in keyof typeof rows]: z.infer<(typeof rows)[T]>[] };

/** Reads the tables beside the posts. @throws ERR_IMPORT_SOURCE */
export async function readGhostData(path: string): Promise<GhostData> {
  const file = new JsonFile(path);
  const data: GhostData = {
    tags: [],
    users: [],
    settings: [],
    posts_tags: [],
    posts_authors: [],
    posts_meta: [],
    members: [],
  };
  const check = new RowCheck(basename(path));
  const wants = (name: string): boolean => Object.hasOwn(rows, name);
  for await (const element of file.elements({ places: PLACES, wants })) {
    addRow(data, element, check);
  }
  const { error } = outline.safeParse(file.outline);
  if (error !== undefined) throw noExport(basename(path), "db[0].data.posts");
  return data;
}

/** Reads the posts one at a time. @throws ERR_IMPORT_SOURCE */
export async function* ghostPosts(path: string): AsyncGenerator<GhostPost> {
  const check = new RowCheck(basename(path));
  const wants = (name: string): boolean => name === "posts";
  for await (const element of new JsonFile(path).elements({ places: PLACES, wants })) {
    yield check.row(post, element);
  }
}

function addRow(data: GhostData, element: JsonElement, check: RowCheck): void {
  switch (element.list) {
    case "tags":
      return void data.tags.push(check.row(rows.tags, element));
    case "users":
      return void data.users.push(check.row(rows.users, element));
    case "settings":
      return void data.settings.push(check.row(rows.settings, element));
    case "posts_tags":
      return void data.posts_tags.push(check.row(rows.posts_tags, element));
    case "posts_authors":
      return void data.posts_authors.push(check.row(rows.posts_authors, element));
    case "posts_meta":
      return void data.posts_meta.push(check.row(rows.posts_meta, element));
    default:
      return void data.members.push(check.row(rows.members, element));
  }
}

/** Checks rows, and counts them for its messages. */
class RowCheck {
  readonly #file: string;
  readonly #counts = new Map<string, number>();

  constructor(file: string) {
    this.#file = file;
  }

  row<T extends z.ZodType>(schema: T, { list: name, value, line }: JsonElement): z.infer<T> {
    const at = this.#counts.get(name) ?? 0;
    this.#counts.set(name, at + 1);
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    const [mistake] = schemaMistakes(schema, value, parsed.error);
    const path = mistake?.path.join(".") ?? "";
    throw noExport(this.#file, `${name}.${at}.${path}`, line);
  }
}

function noExport(file: string, part: string, line?: number): Error {
  return sourceError(
    { file, ...(line !== undefined && { line }) },
    `it is no export of Ghost: ${part} is missing or invalid`,
    "use the file of Settings → Import/Export",
  );
}
