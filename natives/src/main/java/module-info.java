/**
 * oneDNN for Linux on x86-64, as JavaCPP's six modules. It holds no classes: a program that
 * requires it, or has it among its dependencies, computes with oneDNN.
 */
module dev.tributary.natives {
  requires org.bytedeco.dnnl;
  requires org.bytedeco.dnnl.linux.x86_64;
  requires org.bytedeco.javacpp;
  requires org.bytedeco.javacpp.linux.x86_64;
  requires org.bytedeco.opencl; // oneDNN's module does not load without it.
  requires org.bytedeco.opencl.linux.x86_64;
}
