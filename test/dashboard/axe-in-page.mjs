/**
 * Runs in a page with axe. A text's contrast depends on its look and that of its container; this is computed once for each such
 * look and not for every text of every screen, width and theme, which was most of axe's time.
 */
const findParent = (element) => element.assignedSlot ?? element.parentElement ?? element.getRootNode().host;

/** Returns what may show behind the texts of an element, or change how they show. */
const findGround = (element, grounds) => {
  if (!element) return '';
  const known = grounds.get(element);
  if (known !== undefined) return known;
  const style = getComputedStyle(element);
  const own = [style.backgroundColor, style.backgroundImage, style.opacity, style.filter, style.clipPath].join(' ');
  // An element outside of the flow may have another background than its parent: it is only like others of its kind.
  const kind = /absolute|fixed|sticky/.test(style.position) ? `${element.localName}.${element.className}` : '';
  const isPlain = own === 'rgba(0, 0, 0, 0) none 1 none none' && kind === '';
  const ground = `${isPlain ? '' : `${own} ${kind}>`}${findGround(findParent(element), grounds)}`;
  grounds.set(element, ground);
  return ground;
};

const controls =
  'input:not([type=hidden], [type=range], [type=color], [type=checkbox], [type=radio], [type=image]), select, textarea';

const hasText = (element) =>
  element.matches(controls) ||
  (element.localName !== 'option' &&
    [...element.childNodes].some(({ nodeType, data }) => nodeType === Node.TEXT_NODE && /[^\s–]/.test(data)));

const elementsIn = (root) => {
  const elements = [...root.querySelectorAll('*')];
  return [...elements, ...elements.flatMap(({ shadowRoot }) => (shadowRoot ? elementsIn(shadowRoot) : []))];
};

/** Elements that axe leaves out as well: disabled, cut off by their style, or beyond the corner in which a page begins. */
const isExempt = (element, ground) => {
  if (!element.checkVisibility({ visibilityProperty: true }) || ground.includes('inset(50%)')) return true;
  const { right, bottom } = element.getBoundingClientRect();
  return right <= 0 || bottom <= 0 || element.closest(':disabled, [aria-disabled="true"]') !== null;
};

const findBlock = (element) => {
  const parent = findParent(element);
  return parent && getComputedStyle(parent).display.startsWith('inline') ? findBlock(parent) : parent;
};

/** Links among words, which only their colour may tell from those: whoever has them underlined needs no colour. */
const isLinkAmongWords = (element) => {
  if (element.localName !== 'a') return false;
  const { display, textDecorationLine } = getComputedStyle(element);
  if (!display.startsWith('inline') || textDecorationLine.includes('underline')) return false;
  const block = findBlock(element);
  const words = document.createTreeWalker(block ?? element, NodeFilter.SHOW_TEXT);
  while (words.nextNode())
    if (words.currentNode.data.trim() !== '' && !words.currentNode.parentElement.closest('a')) return true;
  return false;
};

const readLook = (element, ground) => {
  const { color, fontSize, fontWeight, textShadow, webkitTextStroke, textIndent } = getComputedStyle(element);
  return [color, fontSize, fontWeight, textShadow, webkitTextStroke, textIndent, ground].join('|');
};

const rulesOfColor = ['color-contrast', 'link-in-text-block'];

/** Texts that are looked at now; every other rule looks at the whole page. */
let texts = new Set();
// A finding is named by its place, never by its markup.
axe.configure({ noHtml: true });
for (const id of rulesOfColor) {
  const rule = axe._audit.getRule(id);
  const { matches } = rule;
  rule.matches = (element, ...others) => texts.has(element) && matches.call(rule, element, ...others);
}

/** The look of every text that is not among those that are known to be fit, and the links among words. */
const findTexts = (known) => {
  const grounds = new Map();
  const looks = new Map();
  const links = [];
  // The page behind a dialog cannot be used, and axe does not check its colors either.
  const dialogs = document.querySelectorAll('dialog:modal');
  const roots = dialogs.length > 0 ? [...dialogs] : [document.body];
  for (const element of new Set(roots.flatMap(elementsIn))) {
    if (!hasText(element)) continue;
    const ground = findGround(element, grounds);
    if (isExempt(element, ground)) continue;
    const look = readLook(element, ground);
    if (!known.has(look)) looks.set(element, look);
    if (isLinkAmongWords(element)) links.push(element);
  }
  return { looks, links };
};

/** Only what is asked for: axe's own reporters name every element that passes, too. */
const report = (results, _options, done) =>
  done({
    violations: results
      .filter(({ violations }) => violations?.length > 0)
      .map(({ id, help, violations }) => ({
        id,
        help,
        nodes: violations.map(({ node }) => ({ target: node.selector })),
      })),
    passes: results.find(({ id }) => id === 'color-contrast')?.passes ?? [],
  });

const rulesOfAllKinds = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * Returns the colors of texts that are hard to read among looks that are not known to be good, and, in a new window, the findings
 * of all other rules; and which looks turn out good. All in one run, as axe maps the page again for each.
 */
globalThis.findBarriers = async (fit, isNewWindow) => {
  const { looks, links } = findTexts(new Set(fit));
  texts = new Set([...looks.keys(), ...links]);
  if (texts.size === 0 && !isNewWindow) return { violations: [], fit: [] };
  const { violations, passes } = await axe.run(isNewWindow ? document : { include: [...texts] }, {
    // Half a second for each frame, as none has axe in it that would answer.
    iframes: false,
    runOnly: isNewWindow ? rulesOfAllKinds : rulesOfColor,
    ...(texts.size === 0 && { rules: Object.fromEntries(rulesOfColor.map((id) => [id, { enabled: false }])) }),
    reporter: report,
  });
  // An element that passes because it is out of sight may become visible.
  const isFit = ({ any }) => any.every(({ data }) => data?.messageKey === undefined);
  const found = passes.filter(isFit).map(({ node }) => looks.get(node.element));
  return { violations, fit: [...new Set(found)].filter((look) => look !== undefined) };
};
