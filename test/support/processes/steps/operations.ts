/** Changes of several files, as requests that a process is killed in and that are sent again. */
import { importCommand } from "../../../../plugins/import/commands.js";
import { join } from "node:path";
import {
  adminPlugins,
  bootAdmin,
  type AdminClient,
  type AdminSite,
} from "../../sites/admin-site.js";
import { runCommand } from "../../sites/check-site.js";

/** A change of several files. */
export interface Operation {
  /** What must have happened before; resolves with what `send` needs. */
  prepare?(client: StepClient): Promise<string>;
  /** Resolves with the status of the response. */
  send(site: AdminSite, client: StepClient, prepared: string): Promise<number>;
}
/** Sends requests of the admin API. */
export type StepClient = Pick<AdminClient, "send" | "json">;
/** An operation that is one request. */
interface RequestOperation extends Pick<Operation, "prepare"> {
  request(client: StepClient, prepared: string): Promise<number>;
}

/** A small site: pages with links, relations and media, and a source to import. */
export const FILES: Readonly<Record<string, string | Buffer>> = {
  "content/01.home/default.md":
    "---\ntitle: Home\n---\n[first](/blog/first), ![x](../02.blog/01.first/x.png)\n",
  "content/02.blog/blog.md": "---\ntitle: Blog\n---\n[first](01.first/post.md)\n",
  "content/02.blog/01.first/post.md":
    "---\ntitle: First\n---\n[second](../02.second/post.md), [home](/)\n",
  "content/02.blog/01.first/x.png": Buffer.from([0x89, 0x50, 0x4e, 0x47]),
  "content/02.blog/01.first/x.png.meta.yaml": "alt: X\n",
  "content/02.blog/02.second/post.md": "---\ntitle: Second\n---\n[first](/blog/first)\n",
  "content/02.blog/03.third/post.md": "---\ntitle: Third\n---\n[second](/blog/second)\n",
  "content/03.docs/default.md": "---\ntitle: Docs\n---\n[first](/blog/first)\n",
  "site.yaml": "title: Test # with a comment\n",
  "source/content/posts/new/index.md": "---\ntitle: New\n---\n![cat](cat.png)\n",
  "source/content/posts/new/cat.png": Buffer.from([0x89, 0x50, 0x4e, 0x47]),
  "source/content/posts/other.md": "---\ntitle: Other\n---\nText\n",
  "source/hugo.toml": 'title = "Old"\n',
};

const post =
  (path: string, body: object): RequestOperation["request"] =>
  async (client) =>
    (await client.send("POST", `/admin/api/${path}`, body)).status;
const remove = "/admin/api/pages/02.blog/blog.md?folder=true";

/** The operations that are requests, by name. */
export const REQUESTS: Readonly<Record<string, RequestOperation>> = {
  "move of a page": {
    request: post("pages/move", { path: "02.blog/01.first", to: "03.docs/01.first" }),
  },
  "move of a tree": { request: post("pages/move", { path: "02.blog", to: "04.news" }) },
  "deletion of a folder": {
    request: async (client) => (await client.send("DELETE", remove)).status,
  },
  "restore of a folder": {
    prepare: async (client) => String((await client.json(200, "DELETE", remove)).trashId),
    request: (client, id) => post("trash", { id })(client, id),
  },
  reorder: {
    request: post("pages/reorder", {
      path: "02.blog/03.third/post.md",
      target: "02.blog/01.first/post.md",
      position: "before",
    }),
  },
  batch: {
    request: post("batch", {
      operations: [
        { op: "archive", path: "03.docs/default.md" },
        { op: "move", path: "02.blog/01.first/post.md", to: "02.blog/01.one/post.md" },
        { op: "delete", path: "02.blog/03.third/post.md", folder: true },
        { op: "set", path: "02.blog/02.second/post.md", frontmatter: { title: "2" } },
      ],
    }),
  },
};

/** All operations by name. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  ...Object.fromEntries(
    Object.entries(REQUESTS).map(([name, { request, ...rest }]): [string, Operation] => [
      name,
      { ...rest, send: (_site, client, prepared) => request(client, prepared) },
    ]),
  ),
  import: {
    send: async (site) => {
      const source = join(site.root, "source");
      await runCommand(site, importCommand, { args: ["hugo", source], options: {} });
      return 200;
    },
  },
};

/** Boots the site on a root that exists, with a client that may do everything. */
export async function bootRoot(root: string): Promise<{ site: AdminSite; client: AdminClient }> {
  const plugins = [...adminPlugins, "health", "import", "outbound", "render"];
  const site = await bootAdmin({ root, plugins, undeclared: true });
  return {
    site,
    client: await site.withToken([
      "pages.read",
      "pages.create",
      "pages.update",
      "pages.delete",
      "pages.publish",

      "media.upload",
      "flex.write",
      "redirects.update",
      "media.delete",
    ]),
  };
}
