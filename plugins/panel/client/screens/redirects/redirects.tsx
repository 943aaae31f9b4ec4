import { Plus } from "lucide";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import {
  listRedirects,
  removeRedirect,
  type Redirect,
  type Redirects,
} from "../../api/settings/redirects.js";
import { may } from "../../api/session.js";
import { done } from "../../app/toasts.js";
import { FormDialog } from "../../parts/form-dialog.js";
import { Icon } from "../../parts/icon.js";
import { Loading } from "../../parts/loading.js";
import { Table } from "../../parts/lists/table.js";
import { useLoaded } from "../../parts/use-loaded.js";
import { AddressTester } from "./address-tester.js";
import { RedirectForm } from "./redirect-form.js";
import { t } from "./redirects-texts.js";

/** Redirects of the site, and a test of addresses. */
export default function RedirectsScreen(): VNode {
  const redirects = useLoaded("redirects", listRedirects);
  const [isAdding, setAdding] = useState(false);
  const mayChange = may("redirects.update");
  return (
    <div class="screen">
      <header class="screen-head">
        <h1>{t("title")}</h1>
        {mayChange && (
          <button type="button" class="primary" onClick={() => setAdding(true)}>
            <Icon of={Plus} />
            {t("add")}
          </button>
        )}
        <p>{t("why")}</p>
      </header>
      {!mayChange && <p class="notice">{t("readOnly")}</p>}
      <Loading of={redirects}>
        {(loaded) => (
          <>
            <List of={loaded} mayChange={mayChange} onDone={redirects.reload} />
            {isAdding && (
              <RedirectForm
                hash={loaded.hash}
                onClose={() => setAdding(false)}
                onDone={redirects.reload}
              />
            )}
          </>
        )}
      </Loading>
      <AddressTester />
    </div>
  );
}

interface ListProps {
  of: Redirects;
  mayChange: boolean;
  onDone(): void;
}

function List({ of, mayChange, onDone }: ListProps): VNode {
  const [words, setWords] = useState("");
  const wanted = words.trim().toLowerCase();
  const items = of.items.filter((one) =>
    `${one.from} ${one.location}`.toLowerCase().includes(wanted),
  );
  return (
    <>
      {of.total > 0 && (
        <label class="field">
          {t("find")}
          <input
            type="search"
            value={words}
            onInput={(event) => setWords(event.currentTarget.value)}
          />
        </label>
      )}
      <p class="dim" role="status">
        {items.length === 0
          ? t(of.total === 0 ? "none" : "none.match")
          : `${t("count", { n: items.length })} · ${t("status", { status: of.status })}`}
      </p>
      {items.length > 0 && <Rows {...{ items, hash: of.hash, mayChange, onDone }} />}
    </>
  );
}

interface RowsProps {
  items: readonly Redirect[];
  hash: string;
  mayChange: boolean;
  onDone(): void;
}

function Rows({ items, hash, mayChange, onDone }: RowsProps): VNode {
  const [edited, setEdited] = useState<Redirect | null>(null);
  const [removed, setRemoved] = useState<Redirect | null>(null);
  const columns = [{ label: t("from") }, { label: t("location") }];
  const actions = mayChange ? [{ label: t("actions"), isActions: true }] : [];
  return (
    <>
      <Table label={t("title")} columns={[...columns, ...actions]} isStacked>
        {items.map((redirect) => (
          <tr key={redirect.from}>
            <td class="break">
              <code>{redirect.from}</code>
            </td>
            <td class="break">
              <code>{redirect.location}</code>
              {redirect.problem !== null && (
                <p class="notice warn problem-of-row">{redirect.problem}</p>
              )}
            </td>
            {mayChange && (
              <Buttons
                from={redirect.from}
                onEdit={() => setEdited(redirect)}
                onRemove={() => setRemoved(redirect)}
              />
            )}
          </tr>
        ))}
      </Table>
      {edited !== null && (
        <RedirectForm of={edited} hash={hash} onClose={() => setEdited(null)} onDone={onDone} />
      )}
      {removed !== null && (
        <FormDialog
          title={t("remove.title", { from: removed.from })}
          action={t("remove")}
          danger
          onClose={() => setRemoved(null)}
          onSubmit={async () => {
            await removeRedirect(removed.from, hash).finally(onDone);
            done(t("removed"));
          }}
        >
          <p class="break">{t("remove.why", { location: removed.location })}</p>
        </FormDialog>
      )}
    </>
  );
}

function Buttons(props: { from: string; onEdit(): void; onRemove(): void }): VNode {
  const { from, onEdit, onRemove } = props;
  return (
    <td class="end">
      <span class="row-buttons">
        <button type="button" aria-label={t("edit", { from })} onClick={onEdit}>
          {t("change")}
        </button>
        <button type="button" aria-label={t("remove.title", { from })} onClick={onRemove}>
          {t("remove")}
        </button>
      </span>
    </td>
  );
}
