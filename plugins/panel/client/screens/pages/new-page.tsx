import type { VNode } from "preact";
import { createPage, listPages, type PageRow } from "../../api/pages.js";
import { listPageTypes, type PageType } from "../../api/page-types.js";
import { FormDialog } from "../../parts/form-dialog.js";
import { Loading } from "../../parts/loading.js";
import { useLoaded } from "../../parts/use-loaded.js";
import { editPath } from "./edit-path.js";
import { t } from "./pages-texts.js";
import { useState } from "preact/hooks";

const MAX_PARENTS = 500;

/** Asks for the title, the place and the type of a new page. */
export function NewPage(props: {
  /** Route of the proposed parent; other values: the top level. */
  parent: string;
  onClose(): void;
  /** Receives the address of the editor. */
  onCreated(path: string): void;
}): VNode {
  const loaded = useLoaded("new", async () => {
    const [types, pages] = await Promise.all([listPageTypes(), listPages({ limit: MAX_PARENTS })]);
    return { types, pages: pages.items.filter(({ isModule }) => !isModule) };
  });
  return (
    <FormDialog
      title={t("new.title")}
      action={t("new.create")}
      onClose={props.onClose}
      onSubmit={async (form) => {
        const page = await createPage({
          parent: String(form.get("parent")),
          template: String(form.get("template")),
          frontmatter: { title: String(form.get("title")) },
        });
        // After the dialog's own closing, which would stay on this screen.
        queueMicrotask(() => props.onCreated(editPath(page.sourcePath)));
      }}
    >
      <Loading of={loaded}>{(data) => <Inputs {...data} parent={props.parent} />}</Loading>
    </FormDialog>
  );
}

function Inputs(props: {
  types: readonly PageType[];
  pages: readonly PageRow[];
  parent: string;
}): VNode {
  const { types, pages } = props;
  const [parent, setParent] = useState(props.parent.startsWith("/") ? props.parent : "/");
  const templates = templatesBelow(parent, { types, pages });
  return (
    <>
      <label>
        {t("new.name")}
        <input name="title" required maxLength={200} autocomplete="off" autoFocus />
      </label>
      <label>
        {t("new.parent")}
        <select
          name="parent"
          value={parent}
          onChange={(event) => setParent(event.currentTarget.value)}
        >
          <option value="/">{t("move.top")}</option>
          {pages
            .filter(({ route }) => route !== "/")
            .map((page) => (
              <option key={page.sourcePath} value={page.route}>
                {`${"  ".repeat(Math.max(0, page.depth - 1))}${page.title}`}
              </option>
            ))}
        </select>
      </label>
      <label>
        {t("new.type")}
        <select name="template">
          {templates.map(({ name, label }) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
      </label>
    </>
  );
}

/** The page types allowed below a page, the one of its first child first. */
function templatesBelow(
  parent: string,
  { types, pages }: { types: readonly PageType[]; pages: readonly PageRow[] },
): { name: string; label: string }[] {
  const template = pages.find(({ route }) => route === parent)?.template;
  const allowed = types.find((type) => type.template === template)?.children ?? null;
  const used = pages.map((page) => page.template);
  const sibling = pages.find((page) => page.parent === parent)?.template;
  const known = [...types.map((type) => type.template), ...used, "default"];
  const names = [...(sibling === undefined ? [] : [sibling]), ...(allowed ?? known)];
  return [...new Set(names)]
    .filter((name) => allowed === null || allowed.includes(name))
    .map((name) => ({
      name,
      label: types.find((type) => type.template === name)?.label ?? name,
    }));
}
