/**
 * Stands in a page beside axe. What contrast a text has is decided by how it and what it stands in look; that is worked out once for each such look
 * and not for every text of every screen, width and theme, which was most of what axe took.
 */
const parentOf = (element) => element.assignedSlot ?? element.parentElement ?? element.getRootNode().host;

/** What may show behind the texts of an element, or change how they show. */
const groundOf = (element, grounds) => {
  if (!element) return '';
  const known = grounds.get(element);
  if (known !== undefined) return known;
  const style = getComputedStyle(element);
  const own = [style.backgroundColor, style.backgroundImage, style.opacity, style.filter, style.clipPath].join(' ');
  // What is taken out of the flow may stand on something else than its parent: it is only like others of its kind.
  const kind = /absolute|fixed|sticky/.test(style.position) ? `${element.localName}.${element.className}` : '';
  const isPlain = own === 'rgba(0, 0, 0, 0) none 1 none none' && kind === '';
  const ground = `${isPlain ? '' : `${own} ${kind}>`}${groundOf(parentOf(element), grounds)}`;
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

/** What axe leaves out as well: what is disabled, cut off by its style, or beyond the corner that a page begins in. */
const isExempt = (element, ground) => {
  if (!element.checkVisibility({ visibilityProperty: true }) || ground.includes('inset(50%)')) return true;
  const { right, bottom } = element.getBoundingClientRect();
  return right <= 0 || bottom <= 0 || element.closest(':disabled, [aria-disabled="true"]') !== null;
};

const blockOf = (element) => {
  const parent = parentOf(element);
  return parent && getComputedStyle(parent).display.startsWith('inline') ? blockOf(parent) : parent;
};

/** Links among words, which only their colour may tell from those: whoever has them underlined needs no colour. */
const isLinkAmongWords = (element) => {
  if (element.localName !== 'a') return false;
  const { display, textDecorationLine } = getComputedStyle(element);
  if (!display.startsWith('inline') || textDecorationLine.includes('underline')) return false;
  const block = blockOf(element);
  const words = document.createTreeWalker(block ?? element, NodeFilter.SHOW_TEXT);
  while (words.nextNode())
    if (words.currentNode.data.trim() !== '' && !words.currentNode.parentElement.closest('a')) return true;
  return false;
};

const lookOf = (element, ground) => {
  const { color, fontSize, fontWeight, textShadow, webkitTextStroke, textIndent } = getComputedStyle(element);
  return [color, fontSize, fontWeight, textShadow, webkitTextStroke, textIndent, ground].join('|');
};

const rulesOfColor = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

/** Looks at every text whose look is not among those that are known to be fit: who it keeps out, and which looks turn out fit. */
globalThis.colorBarriers = async (fit) => {
  const known = new Set(fit);
  const grounds = new Map();
  const looks = new Map();
  const links = [];
  // What stands behind a dialog cannot be used, and axe does not look at its colors either.
  const dialogs = document.querySelectorAll('dialog:modal');
  const roots = dialogs.length > 0 ? [...dialogs] : [document.body];
  for (const element of new Set(roots.flatMap(elementsIn))) {
    if (!hasText(element)) continue;
    const ground = groundOf(element, grounds);
    if (isExempt(element, ground)) continue;
    const look = lookOf(element, ground);
    if (!known.has(look)) looks.set(element, look);
    if (isLinkAmongWords(element)) links.push(element);
  }
  const include = [...new Set([...looks.keys(), ...links])];
  if (include.length === 0) return { violations: [], fit: [] };
  const { violations, passes } = await axe.run(
    { include },
    {
      iframes: false,
      runOnly: rulesOfColor,
      resultTypes: ['violations', 'passes'],
      elementRef: true,
    },
  );
  const contrast = passes.find(({ id }) => id === 'color-contrast')?.nodes ?? [];
  // What passes because it is out of sight may come into it.
  const isFit = ({ any }) => any.every(({ data }) => data?.messageKey === undefined);
  const found = contrast.filter(isFit).map(({ element }) => looks.get(element));
  return {
    violations: violations.map(({ id, help, nodes }) => ({ id, help, nodes: nodes.map(({ target }) => ({ target })) })),
    fit: [...new Set(found)].filter((look) => look !== undefined),
  };
};
