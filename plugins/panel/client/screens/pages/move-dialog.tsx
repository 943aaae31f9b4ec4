import type { VNode } from "preact";
import { listPages, type PageRow } from "../../api/content/pages.js";
import { FormDialog } from "../../parts/form-dialog.js";
import { Loading } from "../../parts/loading.js";
import { useLoaded } from "../../parts/use-loaded.js";
import { t } from "./pages-texts.js";
import { moveTo } from "./tree-moves.js";
import { carrierOf, folderBelow } from "./tree-paths.js";

const MAX_PAGES = 500;

/** Asks for the new parent of a page: for keyboards, touch screens and long ways. */
export function MoveDialog(props: { page: PageRow; onClose(): void; onMoved(): void }): VNode {
  const { page } = props;
  const pages = useLoaded("parents", async () => {
    const { items } = await listPages({ limit: MAX_PAGES });
    return items.filter((one) => isPossible(one, page));
  });
  return (
    <FormDialog
      title={t("move.title", { title: page.title })}
      action={t("move.action")}
      onClose={props.onClose}
      onSubmit={async (form) => {
        const route = String(form.get("parent"));
        const parent = pages.data?.find((one) => one.route === route) ?? null;
        await moveTo(page, { parent, before: null }, props.onMoved);
      }}
    >
      <p>{t("move.why")}</p>
      <Loading of={pages}>
        {(items) => (
          <label>
            {t("move.below")}
            <select name="parent" defaultValue={page.parent ?? "/"} autoFocus>
              <option value="/">{t("move.top")}</option>
              {items.map((one) => (
                <option key={one.sourcePath} value={one.route}>
                  {`${"\u2003".repeat(Math.max(0, one.depth - 1))}${one.title}`}
                </option>
              ))}
            </select>
          </label>
        )}
      </Loading>
    </FormDialog>
  );
}

/** Not itself, not below itself, and with a folder. */
function isPossible(parent: PageRow, page: PageRow): boolean {
  if (parent.isModule || parent.route === "/" || folderBelow(parent) === null) return false;
  return !parent.sourcePath.startsWith(`${carrierOf(page.sourcePath)}/`);
}
