/* Draws the page from the document, with Swagger UI, and adds what that lacks: code samples, and a filter over operations. */
(() => {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
  dark.addEventListener('change', follow);
  follow();

  /** The operations whose path, title or heading has the words. */
  const opsFilter = (tags, words) => {
    const wanted = words.toLowerCase();
    const fits = (operation) =>
      `${operation.get('path')} ${operation.getIn(['operation', 'summary'])}`.toLowerCase().includes(wanted);
    return tags
      .map((tag, name) =>
        name.toLowerCase().includes(wanted) ? tag : tag.set('operations', tag.get('operations').filter(fits)),
      )
      .filter((tag) => tag.get('operations').size > 0);
  };

  /**
   * Each heading as a list of its own: one list of 150 rows and more takes off the page what is out of sight, so that
   * the browser's search does not find it.
   */
  const listPerHeading =
    (Original, { React }) =>
    (props) => {
      const tags = props.specSelectors.taggedOperations();
      if (tags.size === 0) return React.createElement(Original, props);
      const lists = tags.keySeq().map((name) => {
        const taggedOperations = () => tags.filter((_, other) => other === name);
        const specSelectors = { ...props.specSelectors, taggedOperations };
        return React.createElement(Original, { ...props, key: name, specSelectors });
      });
      return React.createElement(React.Fragment, null, lists.toArray());
    };

  const withSamples =
    (spec) =>
    (Original, { React }) =>
    (props) => {
      const samples = spec.paths[props.path]?.[props.method]?.['x-codeSamples'] ?? [];
      const shown = samples.map(({ label, source }) =>
        React.createElement(
          'details',
          { key: label },
          React.createElement('summary', null, label),
          React.createElement('pre', { tabIndex: 0 }, source),
        ),
      );
      return React.createElement(
        React.Fragment,
        null,
        shown.length > 0 &&
          React.createElement('section', { className: 'samples', 'aria-label': 'Code samples' }, shown),
        React.createElement(Original, props),
      );
    };

  /**
   * What stands at a path of the document, with what it refers to in its place. Swagger UI's own resolver reads and checks the whole
   * document for each operation that is opened, which takes it seconds. Here all references lead into the document itself.
   */
  const resolveSubtree = async (spec, path) => {
    const at = (names) => names.reduce((node, name) => node?.[name], spec);
    const nameOf = (part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    const resolve = (node, within) => {
      if (Array.isArray(node)) return node.map((one) => resolve(one, within));
      if (typeof node !== 'object' || node === null) return node;
      const { $ref, ...own } = node;
      const fields = Object.fromEntries(Object.entries(own).map(([name, value]) => [name, resolve(value, within)]));
      if (typeof $ref !== 'string') return fields;
      // What refers to itself stays a reference.
      if (!$ref.startsWith('#/') || within.includes($ref)) return { ...fields, $ref };
      const target = resolve(at($ref.slice(2).split('/').map(nameOf)), [...within, $ref]);
      // Swagger UI takes the name of a schema from there.
      return { $$ref: new URL($ref, document.baseURI).href, ...target, ...fields };
    };
    return { spec: resolve(at(path), []), errors: [] };
  };

  const draw = (spec) => {
    // Calls that are tried on the service's own page are made to that service; a static copy of the site has none.
    const [address] = location.href.split(/[?#]/);
    const here = address.endsWith('/docs/reference') ? address.slice(0, -'/docs/reference'.length) : undefined;
    const others = spec.servers.filter(({ url }) => url !== here);
    const servers = here === undefined ? others : [{ url: here, description: 'This service' }, ...others];
    SwaggerUIBundle({
      spec: { ...spec, servers },
      dom_id: '#reference',
      deepLinking: true,
      docExpansion: 'none',
      defaultModelsExpandDepth: -1,
      displayRequestDuration: true,
      filter: true,
      showExtensions: false,
      tryItOutEnabled: true,
      validatorUrl: null,
      plugins: [
        {
          fn: { opsFilter, resolveSubtree },
          wrapComponents: {
            InfoContainer: () => () => null,
            operations: listPerHeading,
            responses: withSamples(spec),
          },
        },
      ],
    });
  };

  fetch(document.getElementById('reference').dataset.document)
    .then((response) => response.json())
    .then(draw)
    .catch(() => {
      document.getElementById('reference').textContent =
        'The document could not be read; reload the page to try again.';
    });
})();
