import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { readDraft } from "../../api/content/drafts.js";
import { readPage } from "../../api/content/pages.js";
import { listPageTypes } from "../../api/content/page-types.js";
import type { ScreenProps } from "../../app/screen-props.js";
import { Loading } from "../../parts/loading.js";
import { useLoaded } from "../../parts/use-loaded.js";
import { EditSession } from "./saving/edit-session.js";
import { lazy } from "../../parts/lazy.js";
import { dropLocalCopy, readLocalCopy, type LocalCopy } from "./saving/local-copy.js";
import { Workspace } from "./workspace.js";

const BrokenPage = lazy(() => import("./broken-page.js"));

/** The editor of one page. */
export default function Editor({ params }: ScreenProps): VNode {
  const path = params["path"] ?? "";
  const opened = useLoaded(path, () => open(path));
  return (
    <Loading of={opened}>
      {(parts) => {
        const { page, draft } = parts;
        const { broken } = page;
        if (broken === undefined) return <Opened {...parts} />;
        // Another version of the file, or of its working copy, is another text.
        return (
          <BrokenPage
            key={`${page.hash} ${draft?.etag ?? ""}`}
            page={page}
            broken={broken}
            draft={draft}
            onStored={opened.reload}
          />
        );
      }}
    </Loading>
  );
}

type Parts = Awaited<ReturnType<typeof open>>;

function Opened({ page, draft, local, set, types, media }: Parts): VNode {
  const [session] = useState(() => new EditSession({ page, draft, local, set }));
  useEffect(() => () => session.close(), [session]);
  return <Workspace session={session} types={types} template={media} />;
}

async function open(path: string) {
  const [page, draft, found, types, { setKey: set }] = await Promise.all([
    readPage(path),
    readDraft(path),
    readLocalCopy(path),
    listPageTypes(),
    import("./front-matter/set-key.js"),
  ]);
  const saved = draft?.content ?? page.data.raw;
  const local = await unsaved(path, found, saved);
  return { page: page.data, draft, local, set, types, media: templateOf(path) };
}

/** A text that is on the server already is dropped. */
async function unsaved(
  path: string,
  found: LocalCopy | null,
  saved: string,
): Promise<LocalCopy | null> {
  if (found === null || found.text !== saved) return found;
  await dropLocalCopy(path);
  return null;
}

/** The template is the file's name: `post.md`, `post.de.md`. */
function templateOf(path: string): string {
  return (path.split("/").at(-1) ?? "").split(".")[0] ?? "";
}
