import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { editPath } from "../../app/router.js";
import { FormDialog } from "../../parts/forms.js";
import { Loading, useLoaded } from "../../parts/loading.js";
import { PagePicker, readParent } from "./page-picker.js";
import { t } from "./pages-texts.js";
import { call } from "../../api/request.js";
import { loadPageTypes } from "../../api/page-types.js";
import type { PageType, PageRow } from "../../api/answers.js";

const MAX_PARENTS = 500;

interface NewPageProps {
  /** Route of the proposed parent; other values: that of the page changed last. */
  parent: string;
  onClose(): void;
  /** Receives the address of the editor. */
  onCreated(path: string): void;
}

/** Asks for the title, the place and the type of a new page. */
export function NewPage(props: NewPageProps): VNode {
  const loaded = useLoaded("new", async () => {
    const [{ items: types }, pages, latest] = await Promise.all([
      loadPageTypes(),
      call("GET /pages", { query: { limit: MAX_PARENTS, languages: "together" } }),
      call("GET /pages", { query: { sort: "changed", limit: 1 } }),
    ]);
    const last = latest.items[0]?.parent ?? "/";
    return { types, last, pages: pages.items.filter(({ isModule }) => !isModule) };
  });
  return (
    <FormDialog
      title={t("new.title")}
      action={t("new.create")}
      onClose={props.onClose}
      onSubmit={async (form) => {
        const template = String(form.get("template"));
        const title = String(form.get("title"));
        const { items: types } = await loadPageTypes();
        const status = types.find((type) => type.template === template)?.status ?? "draft";
        const page = await call("POST /pages", {
          body: { parent: readParent(form), template, frontmatter: { title, status } },
        });
        // After the dialog's own closing, which would stay on this screen.
        queueMicrotask(() => props.onCreated(`${editPath(page.sourcePath)}?write`));
      }}
    >
      <Loading of={loaded}>
        {({ last, ...data }) => (
          <Inputs {...data} parent={props.parent.startsWith("/") ? props.parent : last} />
        )}
      </Loading>
    </FormDialog>
  );
}

interface InputsProps {
  types: readonly PageType[];
  pages: readonly PageRow[];
  /** Route of the proposed parent. */
  parent: string;
}

function Inputs(props: InputsProps): VNode {
  const { types } = props;
  const isKnown = props.pages.some(({ route }) => route === props.parent);
  const [parent, setParent] = useState(isKnown ? props.parent : "/");
  const [chosen, setChosen] = useState<PageRow | null>(null);
  const choose = (route: string, page: PageRow | null): void => {
    setParent(route);
    setChosen(page);
  };
  // The picker also finds pages that are not among the first.
  const pages = chosen === null ? props.pages : [...props.pages, chosen];
  const title = useRef<HTMLInputElement>(null);
  useEffect(() => title.current?.focus(), []);
  const templates = templatesBelow(parent, types, pages);
  return (
    <>
      <label>
        {t("new.name")}
        <input ref={title} name="title" required maxLength={200} autocomplete="off" />
      </label>
      <details class="parent-choice">
        <summary>
          {t("new.parent")} <strong>{nameOf(parent, pages)}</strong>
        </summary>
        <PagePicker legend={t("new.parent")} parent={parent} onChoose={choose} />
      </details>
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

function nameOf(route: string, pages: readonly PageRow[]): string {
  if (route === "/") return t("move.top");
  return pages.find((page) => page.route === route)?.title ?? route;
}

/** The page types allowed below a page, the one of its first child first. */
function templatesBelow(
  parent: string,
  types: readonly PageType[],
  pages: readonly PageRow[],
): { name: string; label: string }[] {
  const template = pages.find(({ route }) => route === parent)?.template;
  const allowed = types.find((type) => type.template === template)?.children ?? null;
  const used = pages.map((page) => page.template);
  const sibling = pages.find((page) => page.parent === parent)?.template;
  const templates = [...types.map((type) => type.template), ...used, "default"];
  const names = [...(sibling === undefined ? [] : [sibling]), ...(allowed ?? templates)];
  return [...new Set(names)]
    .filter((name) => allowed === null || allowed.includes(name))
    .map((name) => ({
      name,
      label: types.find((type) => type.template === name)?.label ?? name,
    }));
}
