"use strict";(()=>{parent!==self&&parent.postMessage({forewarn:"3ds",signal:"returned"},location.origin);})();
