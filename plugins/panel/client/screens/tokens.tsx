import { Plus } from "lucide";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { texts } from "../app/texts.js";
import { done } from "../app/toasts.js";
import de from "../locales/de/tokens.json";
import en from "../locales/en/tokens.json";
import { Dialog } from "../parts/dialog.js";
import { FormDialog, SecretText } from "../parts/forms.js";
import { Icon } from "../parts/icon.js";
import { Loading, useLoaded } from "../parts/loading.js";
import { fullMoment, Moment } from "../parts/moment.js";
import { PermissionChoices, PermissionTitles } from "../parts/permission-choices.js";
import { Table } from "../parts/table.js";
import { call, type Item, type Answer } from "../api/request.js";

type ApiToken = Item<"GET /tokens">;
type NewToken = Answer<"POST /tokens">;

const t = texts({ en, de });

/** Tokens of the admin API. */
export default function Tokens(): VNode {
  const tokens = useLoaded("tokens", () => call("GET /tokens"));
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<NewToken | null>(null);
  return (
    <div class="screen">
      <header class="screen-head">
        <h1>{t("title")}</h1>
        <button type="button" class="primary" onClick={() => setCreating(true)}>
          <Icon of={Plus} />
          {t("create")}
        </button>
        <p>{t("why")}</p>
      </header>
      <Loading of={tokens}>
        {({ items }) => (
          <>
            <p class="dim" role="status">
              {items.length === 0 ? t("none") : t("count", { n: items.length })}
            </p>
            {items.length > 0 && <List items={items} onDone={tokens.reload} />}
          </>
        )}
      </Loading>
      {isCreating && (
        <TokenForm
          onClose={() => setCreating(false)}
          onCreated={(token) => {
            setCreated(token);
            tokens.reload();
          }}
        />
      )}
      {created !== null && !isCreating && (
        <TokenSecret token={created} onClose={() => setCreated(null)} />
      )}
    </div>
  );
}

interface ListProps {
  items: readonly ApiToken[];
  /** Called after the change, to load again what is shown. */
  onDone(): void;
}

function List({ items, onDone }: ListProps): VNode {
  const [revoked, setRevoked] = useState<ApiToken | null>(null);
  return (
    <>
      <Table
        label={t("title")}
        columns={[
          { label: t("name") },
          { label: t("permissions"), wideOnly: true },
          { label: t("used"), wideOnly: true },
          { label: t("expires") },
          { label: t("actions"), isActions: true },
        ]}
      >
        {items.map((token) => (
          <Row key={token.id} token={token} onRevoke={() => setRevoked(token)} />
        ))}
      </Table>
      {revoked !== null && (
        <FormDialog
          title={t("revoke.title", { name: revoked.name })}
          action={t("revoke")}
          danger
          onClose={() => setRevoked(null)}
          onSubmit={async () => {
            await call("DELETE /tokens/:id", { params: { id: revoked.id } });
            done(t("revoke.done"));
            onDone();
          }}
        >
          <p>{t("revoke.why")}</p>
        </FormDialog>
      )}
    </>
  );
}

interface RowProps {
  token: ApiToken;
  onRevoke(): void;
}

function Row({ token, onRevoke }: RowProps): VNode {
  const { name, permissions, lastUsedAt } = token;
  return (
    <tr>
      <td class="break">
        {name}
        <Limits token={token} />
      </td>
      <td class="wide-only break">
        <PermissionTitles names={permissions} />
      </td>
      <td class="wide-only dim">
        {lastUsedAt === null ? t("unused") : <Moment at={lastUsedAt} />}
      </td>
      <td>
        <Expiry token={token} />
      </td>
      <td class="end">
        <button type="button" aria-label={t("revoke.title", { name })} onClick={onRevoke}>
          {t("revoke")}
        </button>
      </td>
    </tr>
  );
}

interface TokenProps {
  token: ApiToken;
}

/** Shows the limits of a token beside its permissions. */
function Limits({ token: { paths, fields } }: TokenProps): VNode {
  return (
    <>
      {paths !== null && (
        <small class="dim block">{t("paths.only", { paths: paths.join(", ") })}</small>
      )}
      {fields !== null && (
        <small class="dim block">{t("fields.only", { fields: fields.join(", ") })}</small>
      )}
    </>
  );
}

function Expiry({ token: { expiresAt } }: TokenProps): VNode {
  if (expiresAt === null) return <span>{t("never")}</span>;
  if (expiresAt < Date.now()) return <span class="badge bad">{t("expired")}</span>;
  return <span>{fullMoment(expiresAt)}</span>;
}

interface TokenFormProps {
  onClose(): void;
  onCreated(token: NewToken): void;
}

/** Asks for name, permissions and end of a token. */
function TokenForm(props: TokenFormProps): VNode {
  const submit = async (form: FormData): Promise<void> => {
    const permissions = form.getAll("permission").map(String);
    if (permissions.length === 0) throw new Error(t("permissions.none"));
    const expires = String(form.get("expires"));
    const name = String(form.get("name")).trim();
    const limits = { paths: splitLines(form, "paths"), fields: splitLines(form, "fields") };
    props.onCreated(
      await call("POST /tokens", {
        body: {
          name,
          permissions,
          expires: expires === "" ? null : expires,
          ...limits,
        },
      }),
    );
  };
  return (
    <FormDialog
      title={t("create")}
      action={t("create.action")}
      onClose={props.onClose}
      onSubmit={submit}
    >
      <label>
        {t("name")}
        <input name="name" required maxLength={100} autocomplete="off" />
        <span class="help">{t("name.help")}</span>
      </label>
      <fieldset class="field">
        <legend>{t("permissions")}</legend>
        <p class="help">{t("permissions.help")}</p>
        <PermissionChoices chosen={[]} />
      </fieldset>
      <label>
        {t("expires")}
        <input type="date" name="expires" min={tomorrow()} />
        <span class="help">{t("expires.help")}</span>
      </label>
      {(["paths", "fields"] as const).map((name) => (
        <label key={name}>
          {t(name)}
          <textarea name={name} rows={2} spellcheck={false} autocomplete="off" />
          <span class="help">{t(`${name}.help`)}</span>
        </label>
      ))}
    </FormDialog>
  );
}

interface TokenSecretProps {
  token: NewToken;
  onClose(): void;
}

/** The text of a new token. */
function TokenSecret({ token, onClose }: TokenSecretProps): VNode {
  const title = t("secret", { name: token.name });
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{t("secret.why")}</p>
      <SecretText label={title} text={token.token} />
    </Dialog>
  );
}

/** One entry per line; null without any. */
function splitLines(form: FormData, name: string): string[] | null {
  const lines = String(form.get(name)).split("\n");
  const entries = lines.map((line) => line.trim()).filter((line) => line !== "");
  return entries.length === 0 ? null : entries;
}

function tomorrow(): string {
  return new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
}
