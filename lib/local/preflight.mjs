// Plain JavaScript, run before anything else (`node --import`): an old Node must be able to read this much.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    `Forewarn needs Node 22.19 or newer, this is ${process.versions.node}; npm ci brings Node 24 along on Linux x64 and arm64.\n`,
  );
  process.exit(1);
}
