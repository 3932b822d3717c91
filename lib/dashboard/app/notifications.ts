/** Opens what a notification is about, when it was pressed while a page is open. To be called once. */
export const followNotifications = (): void => {
  // Pages that are not secure have no such property.
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  workers?.addEventListener('message', ({ data }) => {
    const { open } = Object(data) as { open?: unknown };
    if (typeof open === 'string' && open.startsWith('#/')) location.hash = open;
  });
};
