import type { ComponentChild, ComponentChildren, VNode } from "preact";

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='%234338ca'%3E" +
  "%3Crect x='3' y='6' width='13' height='15' rx='3' opacity='.45'/%3E%3Crect x='8' y='3' width='13' height='15' rx='3'/%3E%3C/svg%3E";

/** Properties of every panel page. */
export interface FrameProps {
  title: string;
  siteTitle: string;
  siteUrl: string;
  /** `admin.path`. */
  path: string;
  styleUrl: string;
  /** Null on the login page. */
  user: { name: string; email: string; csrfToken: string | null } | null;
  menu: readonly { href: string; label: string; isCurrent: boolean }[];
  /** The page that the browser opens at once. */
  refresh?: string | undefined;
}

/** A frame with its page. */
interface FramedPageProps extends FrameProps {
  readonly children: ComponentChildren;
}
/** The header needs a signed-in user. */
interface HeaderProps extends FrameProps {
  readonly user: NonNullable<FrameProps["user"]>;
}

/** The frame of the panel: header with menu and sign-out, then the page. */
export function Frame({ children, ...frame }: FramedPageProps): VNode {
  const { title, siteTitle, styleUrl, user, refresh } = frame;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        {refresh !== undefined && <meta http-equiv="refresh" content={`0; url=${refresh}`} />}
        <title>{`${title} · ${siteTitle}`}</title>
        <link rel="icon" href={ICON} />
        <link rel="stylesheet" href={styleUrl} />
      </head>
      <body class={user === null ? "signed-out" : undefined}>
        <a class="skip" href="#main">
          Skip to content
        </a>
        {user !== null && <Header {...frame} user={user} />}
        <main id="main" tabIndex={-1}>
          {children}
        </main>
      </body>
    </html>
  );
}

function Header({ path, siteTitle, siteUrl, menu, user }: HeaderProps): VNode {
  return (
    <header class="bar">
      <a class="brand" href={path}>
        <Mark />
        <span>{siteTitle}</span>
      </a>
      <nav aria-label="Panel">
        {menu.map(({ href, label, isCurrent }) => (
          <a href={href} aria-current={isCurrent ? "page" : undefined}>
            {label}
          </a>
        ))}
        <a href={siteUrl}>View site</a>
      </nav>
      <form class="who" method="post" action={`${path}/logout`}>
        <input type="hidden" name="_csrf" value={user.csrfToken ?? ""} />
        <span title={user.email}>{user.name}</span>
        <button class="quiet" type="submit">
          Sign out
        </button>
      </form>
    </header>
  );
}

/** The panel's logo: two sheets. */
export function Mark(): VNode {
  return (
    <svg class="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <rect x="3" y="6" width="13" height="15" rx="3" opacity=".45" />
      <rect x="8" y="3" width="13" height="15" rx="3" />
    </svg>
  );
}

/** Content of a plugin's page. */
interface PluginPageProps {
  readonly frame: FrameProps;
  /** The plugin has rendered this. */
  readonly content: ComponentChild;
}

/** A plugin's page in the panel's frame. */
export function PluginPage({ frame, content }: PluginPageProps): VNode {
  return (
    <Frame {...frame}>
      <h1>{frame.title}</h1>
      {content}
    </Frame>
  );
}
