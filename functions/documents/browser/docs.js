/* Draws the page from the document, with Swagger UI, and adds what that lacks: code samples, and a filter over operations. */
(() => {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
  dark.addEventListener('change', follow);
  follow();

  const style = document.createElement('link');
  style.rel = 'stylesheet';
  style.href = 'docs/swagger-ui.css';
  document.head.prepend(style);

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

  const draw = (spec) => {
    // Where this very service is: what is tried here is tried on it.
    const here = location.href.split(/[?#]/)[0].replace(/\/docs\/?$/, '');
    const servers = [{ url: here, description: 'This service' }, ...spec.servers.filter(({ url }) => url !== here)];
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
          fn: { opsFilter },
          wrapComponents: {
            InfoContainer: () => () => null,
            operations: listPerHeading,
            responses: withSamples(spec),
          },
        },
      ],
    });
  };

  fetch('openapi.json')
    .then((response) => response.json())
    .then(draw)
    .catch(() => {
      document.getElementById('reference').textContent =
        'The document could not be read; reload the page to try again.';
    });
})();
