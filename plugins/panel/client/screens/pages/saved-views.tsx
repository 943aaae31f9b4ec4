import { Ellipsis } from "lucide";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { href, navigate, setQuery } from "../../app/router.js";
import { attempt, done } from "../../app/toasts.js";
import { FormDialog } from "../../parts/forms.js";
import { Icon } from "../../parts/icon.js";
import { useLoaded } from "../../parts/loading.js";
import { Menu } from "../../parts/menu.js";
import { call, type Body, type Item } from "../../api/request.js";
import { may } from "../../api/session.js";
import { t } from "./pages-texts.js";

type View = Item<"GET /views">;

type ViewQuery = Body<"POST /views">["query"];

/** Keys of the address that a view consists of. */
const KEYS = [
  "q",
  "status",
  "template",
  "lang",
  "tag",
  "author",
  "since",
  "sort",
  "order",
  "columns",
] as const satisfies readonly (keyof ViewQuery)[];

interface SavedViewsProps {
  query: URLSearchParams;
}

/** The saved views of the list as links, and what can be done with the one that is shown. */
export default function SavedViews({ query }: SavedViewsProps): VNode | null {
  const views = useLoaded("views", () => call("GET /views"));
  const [asks, setAsks] = useState<"new" | "edit" | null>(null);
  const items = views.data?.items ?? [];
  const shown = readQuery(query);
  const current = items.find(({ id }) => id === query.get("view-id")) ?? null;
  const isChanged = current === null ? Object.keys(shown).length > 0 : !isSame(shown, current);
  if (items.length === 0 && !isChanged) return null;
  const save = async (name: string, isShared: boolean, view: View | null): Promise<void> => {
    const body = { name, isShared, query: shown };
    const stored =
      view === null
        ? await call("POST /views", { body })
        : await call("PUT /views/:id", { params: { id: view.id }, body });
    done(t("views.saved"));
    views.reload();
    navigate(addressOf(stored), { replace: true });
  };
  return (
    <nav class="saved-views row" aria-label={t("views")}>
      <a href={href("/pages")} data-screen aria-current={isPlain(query) ? "page" : undefined}>
        {t("views.all")}
      </a>
      {items.map((view) => (
        <a
          key={view.id}
          href={href(addressOf(view))}
          data-screen
          aria-current={view === current ? "page" : undefined}
          title={view.isShared ? t("views.by", { name: view.owner.name }) : undefined}
        >
          {view.name}
        </a>
      ))}
      {isChanged && (
        <button type="button" onClick={() => setAsks("new")}>
          {t("views.save")}
        </button>
      )}
      {current?.mayChange === true && (
        <ViewMenu
          view={current}
          onUpdate={isChanged ? () => save(current.name, current.isShared, current) : null}
          onEdit={() => setAsks("edit")}
          onDeleted={views.reload}
        />
      )}
      {asks !== null && (
        <ViewForm
          view={asks === "edit" ? current : null}
          onClose={() => setAsks(null)}
          onSave={save}
        />
      )}
    </nav>
  );
}

interface ViewMenuProps {
  view: View;
  /** Saves the shown filters into the view; null: they are those of the view. */
  onUpdate: (() => Promise<void>) | null;
  onEdit(): void;
  onDeleted(): void;
}

function ViewMenu({ view, onUpdate, onEdit, onDeleted }: ViewMenuProps): VNode {
  const remove = async (): Promise<void> => {
    await call("DELETE /views/:id", { params: { id: view.id } });
    done(t("views.deleted"));
    setQuery({ "view-id": "" });
    onDeleted();
  };
  return (
    <Menu label={t("views.menu", { name: view.name })} summary={<Icon of={Ellipsis} size={16} />}>
      {onUpdate !== null && (
        <button type="button" class="entry" onClick={() => void attempt(onUpdate)}>
          {t("views.update")}
        </button>
      )}
      <button type="button" class="entry" onClick={onEdit}>
        {t("views.edit")}
      </button>
      <button type="button" class="entry" onClick={() => void attempt(remove)}>
        {t("views.delete")}
      </button>
    </Menu>
  );
}

interface ViewFormProps {
  /** Null: a new view. */
  view: View | null;
  onClose(): void;
  onSave(name: string, isShared: boolean, view: View | null): Promise<void>;
}

/** Asks for the name of a view, and whether all accounts see it. */
function ViewForm({ view, onClose, onSave }: ViewFormProps): VNode {
  return (
    <FormDialog
      title={t(view === null ? "views.new.title" : "views.edit.title")}
      action={t("views.action")}
      onClose={onClose}
      onSubmit={(form) =>
        onSave(String(form.get("name")).trim(), form.get("shared") !== null, view)
      }
    >
      <label>
        {t("views.name")}
        <input
          name="name"
          required
          maxLength={80}
          autocomplete="off"
          defaultValue={view?.name ?? ""}
        />
      </label>
      {may("pages.publish") && (
        <label class="inline">
          <input type="checkbox" name="shared" defaultChecked={view?.isShared === true} />
          {t("views.shared")}
        </label>
      )}
    </FormDialog>
  );
}

function readQuery(query: URLSearchParams): ViewQuery {
  return Object.fromEntries(KEYS.flatMap((key) => toEntry(key, query.get(key))));
}

function toEntry(key: string, value: string | null): [string, string][] {
  return value === null || value === "" ? [] : [[key, value]];
}

function isSame(shown: ViewQuery, { query }: View): boolean {
  return KEYS.every((key) => (shown[key] ?? "") === (query[key] ?? ""));
}

function isPlain(query: URLSearchParams): boolean {
  return Object.keys(readQuery(query)).length === 0 && !query.has("view-id");
}

/** The address of the list with the view. */
function addressOf({ id, query }: View): string {
  return `/pages?${new URLSearchParams({ ...query, "view-id": id })}`;
}
