import { Ellipsis } from "lucide";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { editPath, navigate, setQuery } from "../../app/router.js";
import { attempt } from "../../app/toasts.js";
import { siteHref } from "../../boot.js";
import { plannedTimes } from "../../parts/badge.js";
import { Icon } from "../../parts/icon.js";
import { Menu } from "../../parts/menu.js";
import { call } from "../../api/request.js";
import { previewPage } from "../../api/preview.js";
import { may } from "../../api/session.js";
import type { PageRow } from "../../api/answers.js";
import { runBatch } from "./batch.js";
import { DeletePages } from "./delete-pages.js";
import { t } from "./pages-texts.js";
import { MoveDialog } from "./tree-moves.js";

interface RowMenuProps {
  page: PageRow;
  /** Source paths of the files of the page that are deleted together. */
  files: readonly string[];
  /** -1 in a row that the Tab key passes over. */
  tabIndex?: number;
  /** Called after the page has moved, or is deleted or back. */
  onChange(): void;
}

/** The actions on one page of the list or tree. Null without any. */
export default function RowMenu({ page, files, tabIndex, onChange }: RowMenuProps): VNode | null {
  const [asks, setAsks] = useState<"move" | "delete" | null>(null);
  const isRead = page.broken === undefined;
  const mayAdd = isRead && may("pages.create", page);
  const mayDelete = may("pages.delete", page);
  if (!isRead && !mayDelete) return null;
  const item = (label: Parameters<typeof t>[0], action: () => void, isShown: boolean) =>
    isShown && (
      <button type="button" class="entry" onClick={action}>
        {t(label)}
      </button>
    );
  const close = (): void => setAsks(null);
  return (
    <>
      <Menu
        label={t("row.menu", { title: page.title })}
        summary={<Icon of={Ellipsis} />}
        tabIndex={tabIndex}
        isInFrame
      >
        {isRead && <ViewEntry page={page} />}
        {item("row.duplicate", () => void attempt(() => duplicate(page)), mayAdd)}
        {item("row.add", () => setQuery({ new: page.route }), mayAdd)}
        {item("moveTo", () => setAsks("move"), page.isMovable)}
        {item("row.trash", () => setAsks("delete"), mayDelete)}
      </Menu>
      {asks === "move" && <MoveDialog page={page} onClose={close} onMoved={onChange} />}
      {asks === "delete" && (
        <DeletePages
          pages={[page]}
          filesOf={() => files}
          each={async (make) => {
            const [failure] = await runBatch([page], () => files.map(make), onChange);
            onChange();
            if (failure !== undefined) throw new Error(failure.reason);
          }}
          onClose={close}
        />
      )}
    </>
  );
}

interface ViewEntryProps {
  page: PageRow;
}

/** Opens what visitors see of the page; when they see nothing of it, its text in the theme of the site. */
function ViewEntry({ page }: ViewEntryProps): VNode {
  const { url, status, sourcePath } = page;
  const isPublic = status === "published" && plannedTimes(page).coming === null;
  if (url !== null && isPublic) {
    return (
      <a class="entry" href={siteHref(url)} target="_blank" rel="noreferrer">
        {t("row.view")}
      </a>
    );
  }
  return (
    <button type="button" class="entry" onClick={() => void attempt(() => previewPage(sourcePath))}>
      {t("row.preview")}
    </button>
  );
}

async function duplicate({ sourcePath: path }: PageRow): Promise<void> {
  const copy = await call("POST /pages/duplicate", { body: { path } });
  navigate(editPath(copy.sourcePath));
}
