/* Adds to pages of the documentation what text alone cannot do: search, copying, tabs that agree, and the visitor's own sandbox. */
(() => {
  const base = document.documentElement.dataset.base ?? '';

  /* Search: the index is read when the field is first used. */
  const field = document.querySelector('search input');
  const found = document.querySelector('search .found');
  const addressOf = (name) => new URL(`${base}${name}`, document.baseURI).href;
  let index;
  const readIndex = () => {
    index ??= Promise.all([
      import(addressOf('minisearch.js')),
      import(addressOf('search.js')),
      fetch(addressOf('search.json')).then((response) => response.json()),
    ]).then(([{ default: MiniSearch }, { createSearch }, entries]) => createSearch(MiniSearch, entries));
    return index;
  };

  /** The words around the first that was found. */
  const excerptOf = ({ text }, terms) => {
    const places = terms.map((term) => text.toLowerCase().indexOf(term)).filter((at) => at >= 0);
    const from = text.lastIndexOf(' ', Math.max(0, Math.min(...places, text.length) - 30)) + 1;
    const begin = places.length > 0 ? from : 0;
    return `${begin > 0 ? '… ' : ''}${text.slice(begin, begin + 140)}`;
  };

  const resultOf = ({ entry, terms }) => {
    const link = document.createElement('a');
    link.href = `${base}${entry.href}`;
    link.textContent = entry.heading === entry.page ? entry.page : `${entry.page}: ${entry.heading}`;
    const excerpt = document.createElement('span');
    excerpt.textContent = excerptOf(entry, terms);
    link.append(excerpt);
    return link;
  };

  const messageOf = (text) => {
    const message = document.createElement('p');
    message.textContent = text;
    return message;
  };

  const search = async () => {
    const asked = field.value.trim().toLowerCase();
    found.hidden = asked === '';
    if (asked === '') return;
    let find;
    try {
      find = await readIndex();
    } catch {
      index = undefined;
      found.replaceChildren(messageOf('The search index could not be read. Reload the page to try again.'));
      return;
    }
    if (asked !== field.value.trim().toLowerCase()) return;
    const results = find(asked).map(resultOf);
    found.replaceChildren(
      ...(results.length > 0 ? results : [messageOf(`Nothing found for “${field.value.trim()}”.`)]),
    );
  };

  field.disabled = false;
  field.addEventListener('input', search);
  field.addEventListener('focus', search);
  document.addEventListener('click', (event) => {
    if (!event.target.closest('search')) found.hidden = true;
  });
  document.addEventListener('keydown', (event) => {
    const links = [...found.querySelectorAll('a')];
    const at = links.indexOf(document.activeElement);
    if (event.key === 'Escape') found.hidden = true;
    if (event.key === '/' && !event.target.closest('input, textarea')) {
      event.preventDefault();
      field.focus();
    }
    if (found.hidden || !event.target.closest('search')) return;
    if (event.key === 'Enter' && event.target === field) links[0]?.click();
    if (event.key === 'ArrowDown') links[at + 1]?.focus();
    if (event.key === 'ArrowUp') (links[at - 1] ?? field).focus();
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') event.preventDefault();
  });

  /* Copying. */
  for (const block of document.querySelectorAll('main pre:not([data-language="output"])')) {
    const frame = document.createElement('div');
    frame.className = 'block';
    block.replaceWith(frame);
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.textContent);
      button.textContent = 'Copied';
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 2000);
    });
    frame.append(block, button);
  }

  /* A language that is chosen once is chosen everywhere. */
  const choose = (language) => {
    for (const input of document.querySelectorAll('.tabs input')) if (input.value === language) input.checked = true;
  };
  for (const tabs of document.querySelectorAll('.tabs')) {
    tabs.addEventListener('change', ({ target }) => {
      localStorage.setItem('forewarn-language', target.value);
      choose(target.value);
    });
  }
  choose(localStorage.getItem('forewarn-language'));

  /* On a developer's machine the samples use the demo tenant's own credentials. */
  const isLocal = ['127.0.0.1', 'localhost', '[::1]'].includes(location.hostname);
  const samples = [...document.querySelectorAll('main pre code')].filter(({ textContent }) =>
    /YOUR_[A-Z_]+/.test(textContent),
  );
  const fill = ({ merchant, payment_site: shop, site }) => {
    const values = {
      YOUR_URL: location.href.split('/docs')[0],
      YOUR_SITE: shop?.sid,
      YOUR_RCODE: shop?.rcode,
      YOUR_ALERT_RCODE: site?.rcode,
      YOUR_USERNAME: merchant?.username,
      YOUR_PASSWORD: merchant?.password,
    };
    for (const sample of samples) {
      sample.textContent = sample.textContent.replace(/YOUR_[A-Z_]+/g, (name) => values[name] ?? name);
    }
  };
  if (isLocal && samples.length > 0) {
    fetch(`${location.href.split('/docs')[0]}/_local/credentials`)
      .then((response) => (response.ok ? response.json().then(fill) : undefined))
      .catch(() => undefined);
  }
})();
