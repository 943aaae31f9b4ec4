import { Pencil, Trash2 } from "lucide";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { t as app, texts } from "../../app/texts.js";
import { done } from "../../app/toasts.js";
import de from "../../locales/de/account.json";
import en from "../../locales/en/account.json";
import { FormDialog } from "../../parts/forms.js";
import { Icon } from "../../parts/icon.js";
import { Loading, useLoaded } from "../../parts/loading.js";
import { Moment } from "../../parts/moment.js";
import { CurrentPassword } from "./authenticator.js";
import { call, type Item, type Answer } from "../../api/request.js";

type Passkey = Item<"GET /me/passkeys">;
type PasskeyList = Answer<"GET /me/passkeys">;

const t = texts({ en, de });

type Open = { name: "add" } | { name: "rename" | "remove"; passkey: Passkey } | null;

interface PasskeysProps {
  hasPassword: boolean;
}

/** Passkeys, which sign in without name and password. */
export function Passkeys({ hasPassword }: PasskeysProps): VNode {
  const passkeys = useLoaded("passkeys", () => call("GET /me/passkeys"));
  const [open, setOpen] = useState<Open>(null);
  return (
    <section class="card" aria-label={t("passkeys")}>
      <h2>{t("passkeys")}</h2>
      <p class="help">{t("passkeys.why")}</p>
      <Loading of={passkeys}>
        {(list) => (
          <>
            <List list={list} onOpen={setOpen} />
            <Add list={list} onOpen={setOpen} />
          </>
        )}
      </Loading>
      {open !== null && (
        <Question
          open={open}
          hasPassword={hasPassword}
          onClose={() => setOpen(null)}
          onDone={passkeys.reload}
        />
      )}
    </section>
  );
}

interface ListProps {
  list: PasskeyList;
  onOpen(open: Open): void;
}

function List({ list, onOpen }: ListProps): VNode | null {
  if (list.items.length === 0) return null;
  return (
    <ul>
      {list.items.map((passkey) => (
        <li key={passkey.id} class="page-line">
          <span class="break">
            {passkey.name} {passkey.synced && <span class="badge">{t("passkeys.synced")}</span>}
            <br />
            <small class="dim">
              {passkey.lastUsedAt === null ? (
                t("passkeys.unused")
              ) : (
                <>
                  {t("passkeys.used")} <Moment at={passkey.lastUsedAt} />
                </>
              )}
            </small>
          </span>
          <span class="row-buttons">
            {(["rename", "remove"] as const).map((name) => (
              <button
                key={name}
                type="button"
                class="icon"
                aria-label={t(`passkeys.${name}.one`, { name: passkey.name })}
                onClick={() => onOpen({ name, passkey })}
              >
                <Icon of={name === "rename" ? Pencil : Trash2} />
              </button>
            ))}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Tells why there can be no passkeys, or shows the button that adds one. */
function Add({ list, onOpen }: ListProps): VNode {
  const hasBrowser = "PublicKeyCredential" in globalThis;
  if (!list.available || !hasBrowser) {
    return (
      <div class="notice warn">
        <p>{t(hasBrowser ? "passkeys.never" : "passkeys.noBrowser")}</p>
        {list.reason !== undefined && <p class="break">{list.reason}</p>}
      </div>
    );
  }
  return (
    <div class="actions">
      <button type="button" onClick={() => onOpen({ name: "add" })}>
        {t("passkeys.add")}
      </button>
    </div>
  );
}

interface QuestionProps {
  open: Exclude<Open, null>;
  hasPassword: boolean;
  onClose(): void;
  onDone(): void;
}

function Question({ open, hasPassword, onClose, onDone }: QuestionProps): VNode {
  const submit = async (form: FormData): Promise<void> => {
    const [name, current] = [toText(form, "name"), toText(form, "current")];
    if (open.name === "add") await added(name, current);
    else if (open.name === "rename")
      await call("PATCH /me/passkeys/:id", { params: { id: open.passkey.id }, body: { name } });
    else await call("DELETE /me/passkeys/:id", { params: { id: open.passkey.id } });
    done(t(`passkeys.${open.name}.done`));
    onDone();
  };
  return (
    <FormDialog
      title={
        open.name === "add"
          ? t("passkeys.add")
          : t(`passkeys.${open.name}.one`, { name: open.passkey.name })
      }
      action={open.name === "remove" ? t("passkeys.remove") : app("save")}
      danger={open.name === "remove"}
      onClose={onClose}
      onSubmit={submit}
    >
      {open.name === "remove" ? (
        <p>{t("passkeys.remove.why")}</p>
      ) : (
        <label>
          {t("passkeys.name")}
          <input
            name="name"
            required
            maxLength={100}
            autocomplete="off"
            defaultValue={open.name === "rename" ? open.passkey.name : ""}
          />
          <span class="help">{t("passkeys.name.why")}</span>
        </label>
      )}
      {open.name === "add" && hasPassword && <CurrentPassword />}
    </FormDialog>
  );
}

/** Explains what browsers report in words of their own. */
async function added(name: string, current: string): Promise<void> {
  try {
    await addPasskey(name, current);
  } catch (error) {
    const kind = error instanceof Error ? error.name : "";
    if (kind === "NotAllowedError") throw new Error(t("passkeys.cancelled"));
    if (kind === "InvalidStateError") throw new Error(t("passkeys.known"));
    throw error;
  }
}

function toText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

/** Asks the browser for a new passkey and stores it. @throws ApiError, or why the browser made none. */
async function addPasskey(name: string, current: string): Promise<void> {
  const body = current === "" ? {} : { current };
  const options = await call("POST /me/passkeys/options", { body });
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const credential = await navigator.credentials.create({ publicKey });
  if (!(credential instanceof PublicKeyCredential)) throw new Error("no passkey was created");
  await call("POST /me/passkeys", { body: { name, response: credential.toJSON() } });
}
