import { Plus } from "lucide";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { texts } from "../app/texts.js";
import { done } from "../app/toasts.js";
import de from "../locales/de/redirects.json";
import en from "../locales/en/redirects.json";
import { Failure, Loading, useLoaded } from "../parts/loading.js";
import { FormDialog } from "../parts/forms.js";
import { Icon } from "../parts/icon.js";
import { Table } from "../parts/table.js";
import { call, type Answer, type Item } from "../api/request.js";
import { may } from "../api/session.js";

type AddressTest = Answer<"GET /redirects/test">;
type Redirect = Item<"GET /redirects">;
type Redirects = Answer<"GET /redirects">;

const t = texts({ en, de });

/** Redirects of the site, and a test of addresses. */
export default function RedirectsScreen(): VNode {
  const redirects = useLoaded("redirects", () => call("GET /redirects"));
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
  /** Called after the change, to load again what is shown. */
  onDone(): void;
}

function List({ of, mayChange, onDone }: ListProps): VNode {
  const [words, setWords] = useState("");
  const part = words.trim().toLowerCase();
  const items = of.items.filter((one) =>
    `${one.from} ${one.location}`.toLowerCase().includes(part),
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
      {items.length > 0 && (
        <Rows items={items} hash={of.hash} mayChange={mayChange} onDone={onDone} />
      )}
    </>
  );
}

interface RowsProps {
  items: readonly Redirect[];
  /** Digest of the file as it was read. */
  hash: string;
  mayChange: boolean;
  /** Called after the change, to load again what is shown. */
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
            await call("DELETE /redirects", {
              query: { from: removed.from },
              ifMatch: hash,
            }).finally(onDone);
            done(t("removed"));
          }}
        >
          <p class="break">{t("remove.why", { location: removed.location })}</p>
        </FormDialog>
      )}
    </>
  );
}

interface ButtonsProps {
  from: string;
  onEdit(): void;
  onRemove(): void;
}

function Buttons({ from, onEdit, onRemove }: ButtonsProps): VNode {
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

interface RedirectFormProps {
  /** Absent: a new redirect. */
  of?: Redirect;
  /** Digest of the file as it was read. */
  hash: string;
  onClose(): void;
  /** Called after the change, to load again what is shown. */
  onDone(): void;
}

/** Asks for the addresses of a redirect; without `of` of a new one. */
function RedirectForm({ of, hash, onClose, onDone }: RedirectFormProps): VNode {
  const submit = async (form: FormData): Promise<void> => {
    const from = String(form.get("from")).trim();
    const location = String(form.get("location")).trim();
    try {
      if (of === undefined)
        await call("POST /redirects", { body: { from, location }, ifMatch: hash });
      else
        await call("PATCH /redirects", { body: { was: of.from, from, location }, ifMatch: hash });
      done(t(of === undefined ? "added" : "changed"));
    } finally {
      // After a conflict too: the next try needs the current file.
      onDone();
    }
  };
  return (
    <FormDialog
      title={of === undefined ? t("add") : t("edit", { from: of.from })}
      action={of === undefined ? t("add.action") : t("change")}
      onClose={onClose}
      onSubmit={submit}
    >
      <label>
        {t("from")}
        <input name="from" required maxLength={2048} autocomplete="off" defaultValue={of?.from} />
        <span class="help">{t("from.help")}</span>
      </label>
      <label>
        {t("location")}
        <input
          name="location"
          required
          maxLength={2048}
          autocomplete="off"
          defaultValue={of?.location}
        />
        <span class="help">{t("location.help")}</span>
      </label>
    </FormDialog>
  );
}

/** Shows where an address leads. */
function AddressTester(): VNode {
  const [address, setAddress] = useState("");
  const [result, setResult] = useState<AddressTest | null>(null);
  const [error, setError] = useState<unknown>(null);
  const test = async (): Promise<void> => {
    try {
      setResult(await call("GET /redirects/test", { query: { address: address.trim() } }));
      setError(null);
    } catch (failure) {
      setError(failure);
      setResult(null);
    }
  };
  return (
    <section class="card stack" aria-label={t("test")}>
      <h2>{t("test")}</h2>
      <p class="dim">{t("test.why")}</p>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void test();
        }}
      >
        <label>
          {t("test.address")}
          <input
            required
            maxLength={2048}
            autocomplete="off"
            placeholder="/old-page"
            value={address}
            onInput={(event) => setAddress(event.currentTarget.value)}
          />
        </label>
        <div class="actions">
          <button type="submit">{t("test.action")}</button>
        </div>
      </form>
      {error !== null && <Failure error={error} />}
      <div role="status">{result !== null && <Way of={result} />}</div>
    </section>
  );
}

interface WayProps {
  of: AddressTest;
}

function Way({ of: { steps, end, address, sourcePath } }: WayProps): VNode {
  const isBad = end === "loop" || end === "nothing";
  return (
    <>
      {steps.length > 0 && (
        <ol>
          {steps.map((step) => (
            <li key={step.from} class="break">
              {t("test.step", step)}
            </li>
          ))}
        </ol>
      )}
      <p class={isBad ? "notice warn break" : "notice break"}>
        {t(`end.${end}`, { address, path: sourcePath ?? "" })}
      </p>
    </>
  );
}
