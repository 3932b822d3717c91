import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { gzipSync } from 'node:zlib';
import type { Certificate } from './certificate.ts';

export type ReceivedRequest = {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
};

/** The action of a receiver once a whole request has arrived: it writes raw bytes, so it can break any rule of HTTP. */
export type Behaviour = (socket: Socket, request: ReceivedRequest) => void;

export type Receiver = AsyncDisposable & {
  port: number;
  /** `http://127.0.0.1:port/hook`, or `https://localhost:port/hook` with a certificate. */
  url: string;
  requests: readonly ReceivedRequest[];
  /** Returns the number of connections that were opened to it, whether or not they carried anything. */
  connections(): number;
  /** Returns the number of open connections. */
  openConnections(): number;
};

/** The first request in the bytes so far, and how many bytes it took; undefined until it is complete. */
const requestIn = (bytes: Buffer): { request: ReceivedRequest; length: number } | undefined => {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const [first = '', ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n');
  const [method = '', path = ''] = first.split(' ');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const length = headEnd + 4 + Number(headers['content-length'] ?? 0);
  if (bytes.length < length) return undefined;
  return { request: { method, path, headers, body: bytes.subarray(headEnd + 4, length).toString() }, length };
};

const serve = (socket: Socket, requests: ReceivedRequest[], behave: Behaviour): void => {
  let bytes = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    for (let found = requestIn(bytes); found; found = requestIn(bytes)) {
      bytes = bytes.subarray(found.length);
      requests.push(found.request);
      behave(socket, found.request);
    }
  });
};

/** A receiver on loopback that behaves as told, over TLS if it gets a certificate. */
export const startReceiver = async (behave: Behaviour, certificate?: Certificate): Promise<Receiver> => {
  const requests: ReceivedRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server: Server = certificate
    ? createTlsServer(certificate, (socket) => serve(socket, requests, behave))
    : createServer((socket) => serve(socket, requests, behave));
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    // The sender hangs up on most of these receivers: a reset here is the point, not a problem.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  server.on('secureConnection', (socket: Socket) => socket.on('error', () => socket.destroy()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    port,
    url: certificate ? `https://localhost:${port}/hook` : `http://127.0.0.1:${port}/hook`,
    requests,
    connections: () => connections,
    openConnections: () => sockets.size,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
};

/** Writes the same bytes for as long as the other side takes them, and no faster. */
const pour = (socket: Socket, bytes: Buffer | string): void => {
  while (!socket.destroyed && socket.write(bytes));
  if (!socket.destroyed) socket.once('drain', () => pour(socket, bytes));
};

/** A well-behaved reply. */
export const respond =
  (status: number, body: string | Buffer = '', headers: Record<string, string> = {}): Behaviour =>
  (socket) => {
    const lines = Object.entries({ 'content-length': String(Buffer.byteLength(body)), ...headers });
    socket.write(`HTTP/1.1 ${status} Status\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
    socket.write(body);
  };

/** Takes the request and never says a word. */
export const staySilent: Behaviour = () => undefined;

/** A good head, then one byte of the body now and then, never the last one. */
export const drip =
  (intervalMilliseconds: number): Behaviour =>
  (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
    const timer = setInterval(() => socket.write('1\r\n.\r\n'), intervalMilliseconds);
    socket.on('close', () => clearInterval(timer));
  };

/** The head itself comes byte by byte and never ends. */
export const dripHead =
  (intervalMilliseconds: number): Behaviour =>
  (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nx-slow: ');
    const timer = setInterval(() => socket.write('.'), intervalMilliseconds);
    socket.on('close', () => clearInterval(timer));
  };

/** A body without end, as fast as it is taken. */
export const pourEndlessBody: Behaviour = (socket) => {
  socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
  pour(socket, `1000\r\n${'x'.repeat(0x1000)}\r\n`);
};

/** 10 KB that inflate to 10 MB, although no compression was asked for. */
export const sendGzipBomb: Behaviour = (socket, request) =>
  respond(200, gzipSync(Buffer.alloc(10_000_000)), { 'content-encoding': 'gzip' })(socket, request);

export const resetBeforeReply: Behaviour = (socket) => {
  socket.resetAndDestroy();
};

/** A good head and half a body, then the connection is gone: by a reset, or by a plain close that looks like an end. */
export const breakOffWithinReply =
  (how: 'reset' | 'close', framing: 'content-length: 100' | 'transfer-encoding: chunked'): Behaviour =>
  (socket) => {
    const half = framing === 'content-length: 100' ? 'half' : '4\r\nhalf\r\n';
    socket.write(`HTTP/1.1 200 OK\r\n${framing}\r\n\r\n${half}`, () => {
      if (how === 'reset') setImmediate(() => socket.resetAndDestroy());
      else socket.end();
    });
  };

export const sendGarbage: Behaviour = (socket) => {
  socket.end('SSH-2.0-OpenSSH_9.6\r\n');
};

/** Provisional replies without end, never a final one. */
export const floodProvisional: Behaviour = (socket) => pour(socket, 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n');

/** One header of any size. */
export const sendHugeHeader =
  (bytes: number): Behaviour =>
  (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nx-huge: ${'x'.repeat(bytes)}\r\ncontent-length: 0\r\n\r\n`);
  };

/** Header lines without end. */
export const pourHeaders: Behaviour = (socket) => {
  socket.write('HTTP/1.1 200 OK\r\n');
  pour(socket, 'x-more: and more\r\n'.repeat(50));
};

/** Claims to leave HTTP without a request for it. */
export const switchProtocols: Behaviour = (socket) => {
  socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n');
};

/** Two framings in one head, which is how replies are smuggled past careless readers. */
export const frameTwice: Behaviour = (socket) => {
  socket.write('HTTP/1.1 200 OK\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n');
};

/** A chunk whose length is no number. */
export const sendBrokenChunk: Behaviour = (socket) => {
  socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n');
};

/** A failure, and in the same breath the success of a request that was never made. */
export const replyTwice: Behaviour = (socket) => {
  const reply = (status: number, body: string) =>
    `HTTP/1.1 ${status} Status\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  socket.write(reply(500, 'failed') + reply(200, 'smuggled'));
};

/** Addresses that lead, or may lead, somewhere that is not the public Internet. */
export const notPublicAddresses = [
  // This machine, and "this network".
  '127.0.0.1',
  '127.0.0.2',
  '127.255.255.254',
  '0.0.0.0',
  '0.1.2.3',
  '::1',
  '::',
  // Private networks.
  '10.0.0.1',
  '10.255.255.255',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '192.168.255.255',
  'fc00::1',
  'fd12:3456:789a::1',
  'fec0::1',
  // Link-local, and the metadata services of clouds among them and elsewhere.
  '169.254.0.1',
  '169.254.169.254',
  '169.254.170.2',
  'fe80::1',
  'febf::1',
  'fd00:ec2::254',
  // Shared by carriers (CGNAT); Alibaba's metadata service lives there.
  '100.64.0.1',
  '100.100.100.200',
  '100.127.255.255',
  // Multicast and broadcast.
  '224.0.0.1',
  '239.255.255.255',
  'ff02::1',
  'ff0e::1',
  '255.255.255.255',
  // Documentation, benchmarks, reserved, discard.
  '192.0.0.1',
  '192.0.2.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '192.88.99.1',
  '240.0.0.1',
  '2001:db8::1',
  '3fff::1',
  '2001:2::1',
  '100::1',
  '5f00::1',
  // An IPv4 address inside: mapped, compatible, translated, NAT64, 6to4, Teredo.
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:10.0.0.1',
  '::ffff:169.254.169.254',
  '::ffff:8.8.8.8',
  '::127.0.0.1',
  '::7f00:1',
  '::a9fe:a9fe',
  '::ffff:0:127.0.0.1',
  '64:ff9b::127.0.0.1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b::8.8.8.8',
  '64:ff9b:1::7f00:1',
  '64:ff9b:1:fffe::a00:1',
  '2002:7f00:1::',
  '2002:a9fe:a9fe::1',
  '2002:808:808::1',
  '2001::1',
  '2001:0:7f00:1::',
  // Outside of what has been handed out.
  '1::1',
  '4000::1',
  'e000::1',
] as const;

const inHost = (address: string) => (address.includes(':') ? `[${address}]` : address);

/** The same places as the host of a URL, in every spelling that URL parsers or resolvers take for them. */
export const notPublicHosts: readonly string[] = [
  ...notPublicAddresses.map(inHost),
  '2130706433',
  '0x7f000001',
  '0x7F.0x0.0x0.0x1',
  '0177.0.0.1',
  '017700000001',
  '0x7f.1',
  '127.1',
  '127.0.1',
  '127.0.0.1.',
  '0',
  '0x0',
  '2852039166',
  '0xa9fea9fe',
  '0xA9.0xFE.0xA9.0xFE',
  '0251.0376.0251.0376',
  '169.254.43518',
  '3232235521',
  '167772161',
  '１２７.０.０.１',
  '127。0。0。1',
  '①②⑦.⓪.⓪.①',
  '%31%32%37.0.0.1',
  '[0:0:0:0:0:0:0:1]',
  '[0000:0000:0000:0000:0000:ffff:7f00:0001]',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'lOcAlHoSt.',
  'ⓛocalhost',
  'some.localhost',
  'some.localhost.',
  'metadata',
  'printer.local',
  'metadata.google.internal',
  'metadata.google.internal.',
  'ip-10-0-0-1.eu-west-1.compute.internal',
  'router.home.arpa',
  '.merchant.example',
  'merchant..example',
  '%2emerchant.example',
  `${'a'.repeat(64)}.example`,
  `${'a.'.repeat(126)}example`,
];
