import type { AccountTemplateProps } from "#theme";
import { formatDate } from "#theme";

/** The passkeys of the own account. */
export function AccountPasskeys(props: AccountTemplateProps) {
  const { passkeys, t } = props;
  if (passkeys === null) return null;
  return (
    <section aria-labelledby="account-passkeys">
      <h2 id="account-passkeys">{t("account.passkeys", "Passkeys")}</h2>
      <p>
        {t(
          "account.passkeys_text",
          "Log in with the fingerprint, face or PIN of your device, or with a security key.",
        )}
      </p>
      <ul class="account-list">
        {passkeys.items.map((item) => (
          <Passkey {...props} key={item.id} item={item} />
        ))}
      </ul>
      {passkeys.obstacle === null ? <More {...props} /> : <Obstacle {...props} />}
    </section>
  );
}

function Obstacle({ passkeys, t }: AccountTemplateProps) {
  return (
    <p class="notice">
      {passkeys?.obstacle === "address"
        ? t("account.passkeys_address", "Passkeys need a site with a name, not with a number.")
        : t("account.passkeys_http", "Passkeys need a site with https.")}
    </p>
  );
}

/** The form that adds a passkey, or what is needed for it. */
function More(props: AccountTemplateProps) {
  const { passkeys, isFresh, csrf, t } = props;
  if (passkeys?.isFull === true) {
    return <p>{t("account.passkeys_full", "No more passkeys fit: remove one first.")}</p>;
  }
  if (isFresh) return <AddPasskey {...props} />;
  return (
    <form method="post" action="/auth/account/again">
      <Csrf csrf={csrf} />
      <p>{t("account.passkeys_again", "To add a passkey, log in again first.")}</p>
      <button type="submit" class="button">
        {t("account.again", "Log in again")}
      </button>
    </form>
  );
}

function Csrf({ csrf }: Pick<AccountTemplateProps, "csrf">) {
  return <input type="hidden" name="_csrf" value={csrf} />;
}

type Item = NonNullable<AccountTemplateProps["passkeys"]>["items"][number];

function Passkey({ item, csrf, t, lang }: AccountTemplateProps & { item: Item }) {
  const field = `passkey-${item.id}`;
  const day = (at: string): string => formatDate(at, lang);
  const hidden = <input type="hidden" name="id" value={item.id} />;
  return (
    <li>
      <span>
        {item.name}{" "}
        <span class="dim">
          {item.used === null
            ? t("account.passkey_since", "added {date}").replace("{date}", () => day(item.created))
            : t("account.passkey_used", "last used {date}").replace("{date}", () =>
                day(item.used ?? item.created),
              )}
        </span>
      </span>
      <form method="post" action="/auth/account/passkeys/remove">
        <Csrf csrf={csrf} />
        {hidden}
        <button
          type="submit"
          class="button"
          aria-label={`${t("account.passkey_remove", "Remove")}: ${item.name}`}
        >
          {t("account.passkey_remove", "Remove")}
        </button>
      </form>
      <details class="account-rename">
        <summary>{t("account.passkey_rename", "Rename")}</summary>
        <form class="stack" method="post" action="/auth/account/passkeys">
          <Csrf csrf={csrf} />
          {hidden}
          <label for={field}>{t("account.passkey_name", "Name of the passkey")}</label>
          <input id={field} name="name" required maxlength={100} value={item.name} />
          <button type="submit" class="button">
            {t("account.save", "Save")}
          </button>
        </form>
      </details>
    </li>
  );
}

/** Hidden without JavaScript, which passkeys need. */
function AddPasskey({ csrf, t, sessions, passkeys }: AccountTemplateProps) {
  const device = sessions.find(({ isCurrent }) => isCurrent)?.device ?? "";
  return (
    <>
      <noscript>
        <p>{t("account.passkeys_script", "Adding a passkey needs JavaScript.")}</p>
      </noscript>
      <form
        class="stack"
        data-passkey-add
        hidden
        data-failed={t("account.passkey_failed", "The passkey could not be added.")}
        data-locked={t("login.locked", "Too many attempts. Please wait a few minutes.")}
      >
        <Csrf csrf={csrf} />
        <label for="passkey-name">{t("account.passkey_name", "Name of the passkey")}</label>
        <input id="passkey-name" name="name" required maxlength={100} value={device} />
        <p class="notice is-error" role="alert" hidden />
        <button type="submit" class="button">
          {t("account.passkey_add", "Add a passkey")}
        </button>
      </form>
      {passkeys?.script && <script type="module" src={passkeys.script} />}
    </>
  );
}
