import { z } from "zod";
import { mayAt } from "../../accounts/path-rights.js";
import { answers } from "../answers.js";
import type { RouteParts } from "../route-parts.js";

const foldersQuery = z.object({
  q: z.string().max(200).default("").describe("Part of the path or of the page's title"),
  limit: z.coerce.number().int().min(1).max(500).default(50),
});

/** The folders of pages into which the identity may upload files. */
export function mediaFoldersRoute({ admin, site }: RouteParts): void {
  admin.route({
    method: "get",
    path: "/media/folders",
    permission: "media.upload",
    paths: "own",
    summary: "Folders that files may be uploaded to, with the title of their page",
    responses: answers.mediaFolders,
    query: foldersQuery,
    handler: async (req, res, { query, identity }) => {
      const words = query.q.toLowerCase();
      const titles = new Map<string, string>();
      const content = site.use("content");
      const view = content.view();
      for (const entry of content.generation().entries) {
        const { folder, title, sourcePath } = entry;
        if (titles.has(folder) || !mayAt(identity, "media.upload", `${folder}/file`)) continue;
        // A page that the public does not see needs the right to read it.
        if (!mayAt(identity, "pages.read", sourcePath) && !view.canSee(entry)) continue;
        if (`${folder}\n${title}`.toLowerCase().includes(words)) titles.set(folder, title);
      }
      const found = [...titles].map(([path, title]) => ({ path, title }));
      const items = found.toSorted((a, b) => (a.path < b.path ? -1 : 1)).slice(0, query.limit);
      await site.http.json(req, res, { items, total: found.length });
    },
  });
}
