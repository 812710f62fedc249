/** How workers that train one model know which of them are alive. Sees nothing but core. */
package dev.tributary.train.liveness;
