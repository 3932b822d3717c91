import type { WindowSize } from './v1.d.ts';

/** EMVCo's sizes in CSS pixels; 05 is all of the window. */
const sizes: Record<WindowSize, readonly [width: string, height: string]> = {
  '01': ['250px', '400px'],
  '02': ['390px', '400px'],
  '03': ['500px', '600px'],
  '04': ['600px', '400px'],
  '05': ['100%', '100%'],
};

/** In CSS pixels; not for 05. */
export const widthOf = (size: WindowSize): number => Number.parseInt(sizes[size][0], 10);

/**
 * The frame has the size that the issuer received; where there is still less room, what is around it scrolls. Set by script, as pages with
 * a strict policy allow no style that is written into them.
 */
const css = `
:host { all: initial; color-scheme: light dark; }
* { box-sizing: border-box; font: 16px/1.4 system-ui, sans-serif; }
.box { display: flex; flex-direction: column; width: 100%; max-width: 100%; max-height: 100%; background: Canvas; color: CanvasText; }
dialog { padding: 0; border: 1px solid color-mix(in srgb, CanvasText 25%, Canvas); border-radius: 12px; width: fit-content; max-width: 100vw; max-height: 100dvh; overflow: hidden; background: Canvas; }
dialog[open] { display: flex; }
dialog.full { width: 100vw; height: 100dvh; border: 0; border-radius: 0; }
dialog.full .box { height: 100%; }
dialog::backdrop { background: rgb(12 18 32 / .6); }
header { display: flex; gap: 12px; align-items: center; justify-content: space-between; padding: 10px 12px 10px 16px; border-bottom: 1px solid color-mix(in srgb, CanvasText 15%, Canvas); }
h2 { margin: 0; font-weight: 600; font-size: 16px; min-width: 0; overflow-wrap: anywhere; }
button { font-weight: 600; font-size: 14px; padding: 8px 14px; min-height: 40px; border-radius: 8px; border: 1px solid color-mix(in srgb, CanvasText 45%, Canvas); background: Canvas; color: CanvasText; cursor: pointer; flex: none; }
button:focus-visible { outline: 3px solid Highlight; outline-offset: 2px; }
button.strong { background: CanvasText; color: Canvas; }
.ask { padding: 12px 16px; background: color-mix(in srgb, CanvasText 7%, Canvas); }
.ask p { margin: 0 0 10px; }
.ask div { display: flex; flex-wrap: wrap; gap: 8px; }
[hidden] { display: none; }
.live { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.room { overflow: auto; flex: 1 1 auto; min-height: 0; max-width: 100%; background: Canvas; }
.room iframe { display: block; border: 0; width: var(--w); height: var(--h); background: #fff; color-scheme: light; }
.full .room iframe { min-height: 100%; }
`;

/** Styles the parts; `root` has them, `host` is the element of the page that contains them. */
export const dress = (root: ShadowRoot, host: HTMLElement, size: WindowSize): void => {
  const [width, height] = sizes[size];
  host.style.setProperty('--w', width);
  host.style.setProperty('--h', height);
  try {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    root.adoptedStyleSheets = [sheet];
  } catch {
    // Browsers of before 2023 show it plainly; everything still works.
  }
};
